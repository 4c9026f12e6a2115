import AnnotationsTestSupport
import Foundation
import Testing

@testable import Annotations

/// Labels of silence, in every format that has texts.
@Suite struct SilenceMarksTests {
  private static let formats = [
    "audacity", "csv", "tsv", "srt", "vtt", "textgrid", "eaf", "json", "jsonl",
  ]

  /// Returns a file with a label from 1 s to 2 s, and one from 3 s to 4 s whose text is "word".
  private func file(_ format: String, _ text: String) -> String {
    let escaped = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    return switch format {
    case "audacity": "1\t2\t\(text)\n3\t4\tword\n"
    case "csv": "start,end,label\n1,2,\"\(text)\"\n3,4,word\n"
    case "tsv": "text\tstart\tend\n\(text)\t1\t2\nword\t3\t4\n"
    case "srt":
      "1\n00:00:01,000 --> 00:00:02,000\n\(text)\n2\n00:00:03,000 --> 00:00:04,000\nword\n"
    case "vtt": "WEBVTT\n\n00:01.000 --> 00:02.000\n\(text)\n\n00:03.000 --> 00:04.000\nword\n"
    case "textgrid":
      "File type = \"ooTextFile\"\n\"TextGrid\" 0 5 <exists> 1 \"IntervalTier\" \"w\" 0 5 2\n"
        + "1 2 \"\(text)\" 3 4 \"word\"\n"
    case "json":
      """
      {"files": [{"file": "a", "duration": 5, "segments":
        [{"start": 1, "end": 2, "text": "\(text)"}, {"start": 3, "end": 4, "text": "word"}]}]}
      """
    case "jsonl":
      """
      {"type": "segment", "file": "a", "start": 1, "end": 2, "text": "\(text)"}
      {"type": "segment", "file": "a", "start": 3, "end": 4, "text": "word"}
      {"type": "file", "file": "a", "duration": 5, "segment_count": 2}
      """
    default:
      "<ANNOTATION_DOCUMENT><TIME_ORDER>"
        + (1...4).map { "<TIME_SLOT TIME_SLOT_ID='\($0)' TIME_VALUE='\($0)000'/>" }.joined()
        + "</TIME_ORDER>"
        + [(1, escaped), (3, "word")].map { start, text in
          "<ALIGNABLE_ANNOTATION TIME_SLOT_REF1='\(start)' TIME_SLOT_REF2='\(start + 1)'>"
            + "<ANNOTATION_VALUE>\(text)</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION>"
        }.joined() + "</ANNOTATION_DOCUMENT>"
    }
  }

  @Test(
    arguments: formats,
    [
      "<p:>", "<p>", "<P>", "#", "<eps>", "<sil>", "<SIL>", "sil", "SIL", "sp", "pau", "h#", "H#",
      "epi", "_", "silent", " silence ", "silB", "!SIL", "<s>", "</s>", "{SL}", "[silence]", "ssil",
    ])
  func marksOfAlignersAreNotSpeech(format: String, mark: String) {
    #expect(times(file(format, mark)) == [[3, 4]], "\(format) \(mark)")
  }

  @Test(
    arguments: formats, ["a", "sip", "silly", "sil sp", "p", "s", "<unk>", "spn", "##", "pause"])
  func otherTextsAreSpeech(format: String, text: String) {
    #expect(times(file(format, text)) == [[1, 2], [3, 4]], "\(format) \(text)")
  }

  @Test(arguments: formats)
  func marksMayBeAdded(format: String) {
    let marks = SilenceMarks(adding: ["Noise  here", "x"])
    #expect(times(file(format, "noise here"), marks: marks) == [[3, 4]])
    #expect(times(file(format, "X"), marks: marks) == [[3, 4]])
    #expect(times(file(format, "sil"), marks: marks) == [[3, 4]])
    #expect(times(file(format, "noise"), marks: marks) == [[1, 2], [3, 4]])
  }

  @Test func aLabelWithoutATextIsSpeechExceptInATextGrid() {
    for format in Self.formats {
      let isSpeech = format != "textgrid"
      #expect(times(file(format, "")) == (isSpeech ? [[1, 2], [3, 4]] : [[3, 4]]), "\(format)")
    }
  }

  /// The names of speakers are no marks, unless the user says so.
  @Test func speakersOfRTTMAreSpeech() {
    let text = "SPEAKER a 1 1 1 <NA> <NA> SP <NA> <NA>\nSPEAKER a 1 3 1 <NA> <NA> word <NA> <NA>\n"
    #expect(times(text) == [[1, 2], [3, 4]])
    #expect(times(text, marks: SilenceMarks(adding: ["sp"])) == [[3, 4]])
  }

  @Test func theManualListsEveryMark() throws {
    let manual = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../docs/terminal.md")
    let text = try String(contentsOf: manual, encoding: .utf8)
    let table = try #require(
      text.components(separatedBy: "| mark, in either case |").dropFirst().first)
    let rows = table.components(separatedBy: "\n\n")[0].split(separator: "\n")
    let marks = rows.flatMap { row in
      row.split(separator: "|")[0].matches(of: #/`([^`]+)`/#).map { $0.1.lowercased() }
    }
    #expect(Set(marks) == SilenceMarks.known)
  }

  @Test func everyKnownMarkIsInTheFormThatIsCompared() {
    for mark in SilenceMarks.known {
      #expect(times("1\t2\t\(mark)\n") == [], "\(mark)")
      #expect(times("1\t2\t\(mark.uppercased())\n") == [], "\(mark)")
    }
  }
}
