import AnnotationsTestSupport
import Foundation
import TestSupport
import Testing

@testable import Annotations

@Suite struct JSONFormatTests {
  /// Reads the document with Python and returns what Python wrote again.
  private func read(_ records: [Record]) throws -> [String: Any] {
    let text = SampleRecords.write(records, AnnotationFormat.json.writer())
    let value = try Python.json(
      "import json,sys; print(json.dumps(json.loads(sys.stdin.read()), allow_nan=False))",
      input: text)
    return try #require(value as? [String: Any])
  }

  @Test func theHeadSaysWhatDecided() throws {
    let document = try read([])
    #expect(document["schema_version"] as? Int == 2)
    #expect(document["lookahead_ms"] as? Int == 30)
    #expect(document["generator"] as? String == "vadmon 1.2.3")
    let config = try document.object("config")
    #expect(config["onset_threshold"] as? Double == 0.6)
    #expect(config["channel"] as? String == "mix")
    #expect((document["files"] as? [Any])?.isEmpty == true)
  }

  @Test func everyNameComesBack() throws {
    let document = try read(SampleRecords.names.flatMap(SampleRecords.recording))
    let files = try document.objects("files")
    #expect(files.map { $0["file"] as? String } == SampleRecords.names)
  }

  @Test func aRecordingHasItsSpansAndSums() throws {
    let document = try read(SampleRecords.recording("a.wav"))
    let file = try #require(document.objects("files").first)
    #expect(file["duration"] as? Double == 10)
    #expect(file["speech_seconds"] as? Double == 1.234)
    #expect(file["muted_speech_seconds"] as? Double == 0.5)
    #expect(file["warnings"] as? [String] == ["cut \"off\""])
    #expect(file["error"] is NSNull)
    let segments = try file.objects("segments")
    #expect(segments.map { $0["start"] as? Double } == [0.51, 3600])
    #expect(segments.map { $0["end"] as? Double } == [2.34, 3661.007])
    #expect(segments.map { $0["decided_at"] as? Double } == [2.59, 3661.257])
    #expect(segments[0]["channel"] is NSNull)
    #expect(segments[1]["channel"] as? Int == 2)
    let muted = try file.objects("muted_speech")
    #expect(muted.map { $0["start"] as? Double } == [0.6])
    #expect((file["gaps"] as? [[String: Any]])?.count == 1)
  }

  @Test func anInputThatFailedIsListedWithItsError() throws {
    let failure = ErrorRecord(file: "bad.wav", message: "not audio", exitCode: 65)
    let late = ErrorRecord(file: "a.wav", message: "cannot read on", exitCode: 74)
    var interrupted = SampleRecords.recording("a.wav")
    interrupted.insert(.error(late), at: interrupted.count - 1)
    let document = try read([.error(failure)] + interrupted + [.error(failure)])
    let files = try document.objects("files")
    #expect(files.map { $0["file"] as? String } == ["bad.wav", "a.wav", "bad.wav"])
    let errors = files.map { ($0["error"] as? [String: Any])?["exit_code"] as? Int }
    #expect(errors == [65, 74, 65])
    #expect((files[0]["segments"] as? [Any])?.isEmpty == true)
    #expect((files[1]["segments"] as? [Any])?.count == 2)
  }

  @Test func controlCharactersAreEscapedAndNothingElseIs() {
    let value = JSONValue.string("\u{0}\u{1F}\"\\\n\r\t/\u{7F}\u{85}é🎤")
    #expect(value.text == #""\u0000\u001f\"\\\n\r\t/\u007f\u0085é🎤""#)
  }

  @Test func floatsAreTheShortestThatComeBack() {
    #expect(JSONValue.float(0.6).text == "0.6")
    #expect(Float(JSONValue.float(1e-7).text) == 1e-7)
  }
}
