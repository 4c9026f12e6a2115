import Foundation
import TestSupport
import Testing

/// `--pad`, `--min-speech` and `--min-silence`, compared with the same rules applied to vadmon's unshaped output.
@Suite struct ShapingTests {
  @Test(arguments: [
    [], ["--pad", "100ms"], ["--min-silence", "400ms"], ["--min-speech", "600ms"],
    ["--pad", "250ms", "--min-silence", "300ms", "--min-speech", "1s"],
  ])
  func segmentsAreShaped(arguments: [String]) throws {
    let detected = try segments(["--min-silence", "0"])
    #expect(try segments([]).count < detected.count)
    #expect(try segments(arguments) == shaped(detected, arguments, end: 10_000))
  }

  /// Settings that cut speech at its shortest pauses.
  private static let choppy = ["--live", "--offset-threshold", "0.7", "--hangover", "10ms"]

  /// Returns segments in ms. samples/speech.flac is at 16 kHz, where hops are whole milliseconds.
  private func segments(_ arguments: [String]) throws -> [[Int]] {
    let recording = TestAudio.samples + "/speech.flac"
    let result = try Program.analyze([recording, "--format", "audacity"] + Self.choppy + arguments)
    return result.lines.map { line in
      line.split(separator: "\t").prefix(2).map { Int(($0.split(separator: ".").joined())) ?? -1 }
    }
  }

  private func shaped(_ detected: [[Int]], _ arguments: [String], end: Int) -> [[Int]] {
    func length(_ flag: String) -> Int {
      guard let index = arguments.firstIndex(of: flag) else {
        return flag == "--min-silence" ? 200 : 0
      }
      let text = arguments[index + 1]
      return text.hasSuffix("ms") ? Int(text.dropLast(2))! : Int(text.dropLast())! * 1000
    }
    let joined = detected.reduce(into: [[Int]]()) { result, span in
      if let last = result.last, span[0] - last[1] < length("--min-silence") {
        result[result.count - 1][1] = span[1]
      } else {
        result.append(span)
      }
    }
    let long = joined.filter { $0[1] - $0[0] >= length("--min-speech") }
    let padded = long.map { [max(0, $0[0] - length("--pad")), min(end, $0[1] + length("--pad"))] }
    return padded.reduce(into: [[Int]]()) { result, span in
      if let last = result.last, span[0] < last[1] {
        result[result.count - 1][1] = span[1]
      } else {
        result.append(span)
      }
    }
  }
}
