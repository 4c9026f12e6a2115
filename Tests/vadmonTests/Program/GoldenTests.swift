import Foundation
import TestSupport
import Testing

/// The segments that vadmon finds in samples/, compared with checked-in files: see Golden/README.md.
@Suite struct GoldenTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../Golden").standardized
  private static let regenerates =
    ProcessInfo.processInfo.environment["VADMON_REGENERATE_GOLDEN"] != nil

  /// The recordings in samples/, in the order of the folder's listing.
  static let recordings: [String] =
    ((try? FileManager.default.contentsOfDirectory(atPath: TestAudio.samples)) ?? [])
    .filter { $0.hasSuffix(".wav") || $0.hasSuffix(".flac") }.sorted()

  @Test func thereAreSamples() { #expect(Self.recordings.count >= 6) }

  @Test func everyGoldenFileHasItsSample() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    let golden = names.filter { $0.hasSuffix(".jsonl") }.sorted()
    #expect(golden == Self.recordings.map(Self.goldenName).sorted())
  }

  @Test(arguments: recordings, ["", "avx2", "portable"])
  func resultsAreTheCheckedInOnes(recording: String, simd: String) throws {
    let result = try Program.shell(
      """
      cd "$1" && VA_CPU="$3" "$vadmon" analyze "$2" --channel each --mute-timeline 4-10 \
        --format jsonl
      """, TestAudio.samples, recording, simd)
    #expect(result.status == 0)
    let found = result.lines.dropFirst().joined(separator: "\n") + "\n"
    let golden = Self.folder.appendingPathComponent(Self.goldenName(recording))
    if Self.regenerates {
      if simd.isEmpty { try found.write(to: golden, atomically: true, encoding: .utf8) }
      return
    }
    #expect(try found == String(contentsOf: golden, encoding: .utf8))
  }

  private static func goldenName(_ recording: String) -> String {
    URL(fileURLWithPath: recording).deletingPathExtension().lastPathComponent + ".jsonl"
  }
}
