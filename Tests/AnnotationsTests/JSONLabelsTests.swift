import AnnotationsTestSupport
import Testing

@testable import Annotations

/// What results in JSON say about a recording beside its segments, and what they lack.
@Suite struct JSONLabelsTests {
  private let config = "{\"type\": \"config\", \"config\": {\"from_ms\": 5000}}\n"
  private let segment =
    "{\"type\": \"segment\", \"file\": \"x/b.wav\", \"start\": 1, \"end\": 2}\n"
  private let last =
    "{\"type\": \"file\", \"file\": \"x/b.wav\", \"duration\": 9, \"segment_count\": 1}\n"

  private func document(_ members: String) -> String {
    "{\"files\": [{\"file\": \"b.wav\"\(members)}]}"
  }

  private func only(_ text: String) throws -> LabelledRecording {
    let (recordings, faults) = readLabels(text.utf8)
    #expect(faults == [])
    return try #require(recordings.count == 1 ? recordings["b"] : nil, "\(recordings)")
  }

  private func fault(_ text: String) throws -> String {
    let (_, faults) = readLabels(text.utf8)
    return try #require(faults.count == 1 ? faults[0] : nil, "\(faults)")
  }

  // MARK: The beginning

  /// The name of the file does not matter, and no message speaks of another format.
  @Test(arguments: ["json", "txt", "csv", "tsv", "rttm", "TextGrid"])
  func blanksMayComeBeforeTheObject(ending: String) throws {
    let object = "{\"files\":[{\"file\":\"b.wav\",\"segments\":[{\"start\":1,\"end\":2}]}]}"
    for blanks in ["", " ", "\t", "\n \t "] {
      #expect(times(blanks + object, ending: ending, name: "b") == [[1, 2]], "'\(blanks)'")
      #expect(times(blanks + segment + " " + last, ending: ending, name: "b") == [[1, 2]])
      for list in ["[\(object)]", "[\n  \(object)\n]"] {
        let (_, faults) = readLabels((blanks + list).utf8, ending: ending)
        try #require(faults.count == 1, "\(faults)")
        #expect(faults[0].contains("this is not the JSON of vadmon analyze"), "\(faults)")
      }
    }
  }

  // MARK: Lengths

  @Test(arguments: ["", ", \"duration\": null", ", \"error\": null"])
  func aRecordingMayLackItsLength(members: String) throws {
    let segments = ", \"segments\": [{\"start\": 1, \"end\": 2.5}]"
    let recording = try only(document(members + segments))
    #expect(recording.track == .spans([try LabelledSpan(start: 1, end: 2.5)]))
    #expect(recording.length == nil && recording.isNamed)
    // A fault there is found, too.
    let bad = try fault(document(members + ", \"segments\": [{\"start\": 2, \"end\": 1}]"))
    #expect(bad.contains("segment 1 of b.wav: the end 1.0 is before the start 2.0"))
  }

  /// A list of cells that begins there would not fit in memory.
  @Test(arguments: ["1e30", "1e999", "-1", "1000000001", "true"])
  func aBeginningThatIsNoneIsRefused(from: String) throws {
    let config = "\"config\": {\"from_ms\": \(from)}, "
    let files = "\"files\": [{\"file\": \"b.wav\", \"segments\": [], \"duration\": 1}]"
    #expect(try fault("{\(config)\(files)}").contains("from_ms cannot be '\(from)'"))
  }

  @Test func anEndThatIsTooLateIsRefused() throws {
    let config = "\"config\": {\"from_ms\": 999999999}, "
    let files = "\"files\": [{\"file\": \"b.wav\", \"segments\": [], \"duration\": 1}]"
    #expect(try fault("{\(config)\(files)}").contains("is beyond 1000000 s"))
  }

  @Test(arguments: ["\"10\"", "-5", "true", "[10]", "1e7"])
  func aLengthThatIsNoneIsRefused(duration: String) throws {
    let text = document(", \"segments\": [], \"duration\": \(duration)")
    #expect(try fault(text).contains(": b.wav: the duration '"))
    let lines = segment + last.replacing("9", with: duration)
    #expect(try fault(lines).contains(", line 2: x/b.wav: the duration '"))
  }

  // MARK: Errors

  /// What `vadmon analyze` writes of one recording that it could not read, and one that broke off.
  @Test func whatFailedIsNoRecordingWithoutSpeech() throws {
    let error = Record.error(ErrorRecord(file: "b.wav", message: "cannot read b.wav", exitCode: 65))
    var torn = SampleRecords.file("b.wav", segments: 1)
    torn.isWhole = false
    let segment = Record.segment(SampleRecords.span(file: "b.wav", 510, 2340))
    for format in [AnnotationFormat.json, .jsonl] {
      let failed = try only(SampleRecords.write([error], format.writer()))
      #expect(failed.failure == "cannot read b.wav" && failed.remarks.isEmpty)
      let brokenOff = try only(
        SampleRecords.write([segment, error, .file(torn)], format.writer()))
      #expect(brokenOff.failure == nil && brokenOff.length == 10)
      #expect(brokenOff.track == .spans([try LabelledSpan(start: 0.51, end: 2.34)]))
      #expect(brokenOff.remarks.count == 1, "\(brokenOff.remarks)")
      expectNames(brokenOff.remarks, ["b.wav", "cannot read b.wav"])
      torn.duration = .zero
      torn.segmentCount = 0
      let atOnce = try only(SampleRecords.write([error, .file(torn)], format.writer()))
      #expect(atOnce.failure == "cannot read b.wav", "\(format.name)")
      (torn.duration, torn.segmentCount) = (MediaTime(milliseconds: 10_000), 1)
    }
    let alone = try only(SampleRecords.write([error], AnnotationFormat.fileJSONL.writer()))
    #expect(alone.failure == "cannot read b.wav")
  }

  private func expectNames(_ remarks: [String], _ names: [String]) {
    for name in names { #expect(remarks.allSatisfy { $0.contains(name) }, "\(remarks)") }
  }

  @Test(arguments: ["\"torn\"", "{\"message\": \"torn\"}", "[\"torn\"]"])
  func anErrorOfAnyFormIsAnError(error: String) throws {
    let recording = try only(document(", \"segments\": [], \"error\": \(error)"))
    #expect(recording.failure?.contains("torn") == true)
  }

  @Test func aMessageIsShownOnOneLine() throws {
    let text = document(", \"segments\": [], \"error\": {\"message\": \"a\\n\\u001b[31mb\"}")
    #expect(try only(text).failure == "a\\n\\u{1B}[31mb")
  }

  // MARK: What is cut off

  @Test func linesWithoutTheLastOneAreRefused() throws {
    let whole = config + segment + last
    #expect(try only(whole).length == 14)
    let gap = segment.replacing("segment", with: "gap")
    for text in [config + segment, segment, config + gap, whole + segment] {
      let message = try fault(text)
      #expect(message.contains("the last line of x/b.wav is missing"), "\(message)")
    }
  }

  @Test(arguments: ["{\"files\": []}", "{\"type\": \"config\", \"config\": {}}\n"])
  func aResultWithoutARecordingIsRefused(text: String) throws {
    #expect(try fault(text).contains("it has no recording"))
  }

  /// A line that cannot be read is the only fault: its segment may be the one that is missing.
  @Test(arguments: ["{\"type\": \"segment\", \"file\": \"x/b.wav\", \"start\": 1}", "{\"type\": "])
  func aBadLineIsOneFault(line: String) throws {
    #expect(try fault(segment + line + "\n" + last).contains(", line 2: "))
    #expect(try fault(segment + line + "\n").contains(", line 2: "))
  }

  @Test(arguments: [
    ("\"segment_count\": 3", "3 segments of x/b.wav, but 1 line of them: check that the file is"),
    ("\"segment_count\": 0", "0 segments of x/b.wav, but 1 line of them: check that the file is"),
    ("\"segment_count\": \"1\"", "the number \"segment_count\" of x/b.wav is missing"),
    ("\"more\": 1", "the number \"segment_count\" of x/b.wav is missing"),
  ])
  func aWrongCountSaysWhatIsWrong(row: (member: String, message: String)) throws {
    let message = try fault(segment + last.replacing("\"segment_count\": 1", with: row.member))
    #expect(message.contains(", line 2: ") && message.contains(row.message), "\(message)")
  }
}
