import Foundation
import TestSupport

/// A run of `vadmon analyze` that saves sound, and ffmpeg's view of the recording and of the files.
struct CutRecording {
  struct Segment {
    var start: Int
    var end: Int
    var file: String
  }

  let folder: TemporaryFolder
  let result: Program.Result
  let segments: [Segment]

  /// Analyses `recording`, with `--save-segments out` in `folder`.
  init(_ recording: String, in folder: TemporaryFolder, _ options: String...) throws {
    self.folder = folder
    result = try Program.analyze(
      [recording, "--save-segments", folder / "out", "--format", "jsonl"] + options)
    segments = try result.records.ofType("segment").compactMap { record in
      guard let file = record["saved"] as? String else { return nil }
      return Segment(
        start: record["start_sample"] as? Int ?? -1, end: record["end_sample"] as? Int ?? -1,
        file: file)
    }
  }

  /// Returns the samples as ffmpeg decodes them, interleaved, as 32-bit integers or floats.
  static func decode(_ path: String, as format: String = "s32le") throws -> [UInt32] {
    let result = try Program.run(["ffmpeg", "-v", "error", "-i", "file:" + path, "-f", format, "-"])
    return result.bytes.withUnsafeBytes { Array($0.bindMemory(to: UInt32.self)) }
  }

  /// Runs ffmpeg, which makes a recording.
  static func ffmpeg(_ arguments: String...) throws {
    try Program.run(["ffmpeg", "-nostdin", "-v", "error"] + arguments)
  }

  /// Returns what ffprobe says of the only stream.
  static func probe(_ path: String, _ entry: String) throws -> Int {
    let result = try Program.run([
      "ffprobe", "-v", "error", "-show_entries", "stream=\(entry)", "-of", "csv=p=0",
      "file:" + path,
    ])
    return Int(result.output.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
  }
}
