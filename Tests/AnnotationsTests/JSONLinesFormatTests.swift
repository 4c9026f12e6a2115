import AnnotationsTestSupport
import Foundation
import TestSupport
import Testing

@testable import Annotations

@Suite struct JSONLinesFormatTests {
  /// Returns one object for each line, as read by Python.
  private func read(
    _ records: [Record], _ content: JSONLinesFormat.Content = .everything
  ) throws -> [[String: Any]] {
    let text = SampleRecords.write(records, JSONLinesFormat(content: content))
    let value = try Python.json(
      """
      import json, sys
      text = sys.stdin.buffer.read().decode("utf-8")
      assert text == "" or text.endswith("\\n")
      print(json.dumps([json.loads(line) for line in text.split("\\n")[:-1]]))
      """, input: text)
    return try #require(value as? [[String: Any]])
  }

  @Test func everyRecordIsOneLineWithItsType() throws {
    let lines = try read(SampleRecords.recording("a.wav"))
    let types = lines.map { $0["type"] as? String }
    #expect(types == ["config", "segment", "muted_speech", "gap", "segment", "file"])
    #expect(lines.dropFirst().allSatisfy { $0["file"] as? String == "a.wav" })
  }

  @Test func theConfigRecordComesFirstAndSaysWhatDecided() throws {
    let config = try #require(read([]).first)
    #expect(config["schema_version"] as? Int == 2)
    #expect(config["lookahead_ms"] as? Int == 30)
    #expect((config["config"] as? [String: Any])?["pad_ms"] as? Int == 0)
  }

  @Test func everyNameStaysOnItsLine() throws {
    let lines = try read(SampleRecords.names.map { .segment(SampleRecords.span(file: $0, 0, 10)) })
    #expect(lines.dropFirst().map { $0["file"] as? String } == SampleRecords.names)
  }

  @Test func theFileRecordSumsUp() throws {
    let file = try #require(read(SampleRecords.recording("a.wav")).last)
    #expect(file["duration"] as? Double == 10)
    #expect(file["speech_seconds"] as? Double == 1.234)
    #expect(file["segment_count"] as? Int == 2)
    #expect(file["warnings"] as? [String] == ["cut \"off\""])
    #expect(file["sample_rate"] as? Int == 16_000)
    #expect(file["schema_version"] as? Int == 2)
  }

  @Test func errorsAreRecords() throws {
    let error = ErrorRecord(file: "x", message: "not \"audio\"", exitCode: 65)
    let line = try #require(read([.error(error)]).last)
    #expect(line["type"] as? String == "error")
    #expect(line["message"] as? String == "not \"audio\"")
    #expect(line["exit_code"] as? Int == 65)
  }

  @Test func fileLinesAloneAreTheSameAsAmongTheOthers() throws {
    let records = SampleRecords.recording("a.wav") + SampleRecords.recording("b.wav")
    let all = try read(records).filter { $0["type"] as? String == "file" }
    let alone = try read(records, .filesAlone)
    #expect(alone as NSArray == all as NSArray)
    #expect(alone.count == 2)
  }

  /// A program that writes names and reads lines depends on this.
  @Test func eachInputIsOneLineAmongFileLinesAlone() throws {
    var broken = SampleRecords.file("broken.wav")
    broken.isWhole = false
    let lines = try read(
      SampleRecords.recording("a.wav") + [
        .error(ErrorRecord(file: "none.wav", message: "", exitCode: 66)),
        SampleRecords.input("broken.wav"),
        .segment(SampleRecords.span(file: "broken.wav", 0, 10)),
        .error(ErrorRecord(file: "broken.wav", message: "", exitCode: 74)), .file(broken),
      ], .filesAlone)
    #expect(lines.map { $0["type"] as? String } == ["file", "error", "error"])
    #expect(lines.map { $0["file"] as? String } == ["a.wav", "none.wav", "broken.wav"])
  }

  /// Seconds are digits with three decimals, so that tools without floating point can compare them.
  @Test func secondsHaveThreeDecimals() {
    let text = SampleRecords.write(
      [.segment(SampleRecords.span(0, 1000))], AnnotationFormat.jsonl.writer())
    #expect(
      text.contains(#""end": 1.000, "start_sample": 0, "end_sample": 16000, "decided_at": 1.250"#))
  }
}
