import AnnotationsTestSupport
import Testing

@testable import Annotations

@Suite struct RTTMFormatTests {
  /// One turn, read as the RT-09 evaluation plan describes it: ten fields separated by spaces.
  private struct Turn: Equatable {
    var file: String, channel: Int, start: Double, duration: Double, speaker: String

    init?(_ line: some StringProtocol) {
      let fields = line.split(separator: " ", omittingEmptySubsequences: false)
      guard fields.count == 10, fields[0] == "SPEAKER", fields.allSatisfy({ !$0.isEmpty }),
        [5, 6, 8, 9].allSatisfy({ fields[$0] == "<NA>" }), let channel = Int(fields[2]),
        let start = Double(fields[3]), let duration = Double(fields[4])
      else { return nil }
      (file, self.channel) = (String(fields[1]), channel)
      (self.start, self.duration, speaker) = (start, duration, String(fields[7]))
    }

    init(_ file: String, _ channel: Int, _ start: Double, _ duration: Double, _ speaker: String) {
      (self.file, self.channel, self.start) = (file, channel, start)
      (self.duration, self.speaker) = (duration, speaker)
    }
  }

  private func read(_ records: [Record]) -> [Turn?] {
    SampleRecords.write(records, AnnotationFormat.rttm.writer()).split(separator: "\n").map {
      Turn($0)
    }
  }

  @Test func segmentsAndMutedSpeechAreTurns() {
    #expect(
      read(SampleRecords.recording("dir/a.wav")) == [
        Turn("a", 1, 0.51, 1.83, "speech"), Turn("a", 2, 0.6, 1.8, "muted_speech"),
        Turn("a", 2, 3600, 61.007, "speech"),
      ])
  }

  @Test func whateverAFileIsCalledTheLineHasTenFields() {
    let turns = read(SampleRecords.names.map { .segment(SampleRecords.span(file: $0, 0, 10)) })
    #expect(turns.count == SampleRecords.names.count)
    #expect(turns.allSatisfy { $0 != nil })
  }

  /// Only vadmon's own names, letter by letter, are not speech: a speaker may be called Silence.
  @Test func aSpeakerMayBeCalledSilence() {
    for (name, isSpeech) in [("Silence", true), ("MUTED_SPEECH", true), ("silence", false)] {
      let line = "SPEAKER a 1 0.5 1 <NA> <NA> \(name) <NA> <NA>\n"
      #expect(times(line, ending: "rttm") == (isSpeech ? [[0.5, 1.5]] : []), "\(name)")
    }
  }

  @Test(arguments: [
    ("a.wav", "a"), ("x/y/a.b.wav", "a.b"), ("two words.wav", "two_words"), (".hidden", ".hidden"),
    ("-", "stdin"), (";;comment.wav", "comment"), (" .wav", "_"), ("日本.flac", "日本"),
    ("a\u{A0}b\u{2003}c\n.wav", "a_b_c_"), ("noending", "noending"), ("dir/", "dir"),
  ])
  func fileIDsAreStemsWithoutBlanks(row: (String, String)) {
    #expect(RecordingName.fileID(row.0) == row.1)
  }

  /// Chromium and Firefox replace or drop these characters; Tests/ReportPage lets a browser save such names.
  @Test(arguments: [
    (["x"], "x"), (["a", "x"], "a_x"), (["my set", "é.b", "x.wav"], "my_set_é.b_x.wav"),
    (["10:55:00"], "10_55_00"), (["a", #"b:?*<>"|\%c"#], "a_b_________c"), (["~.x"], "_x"),
    (["a\u{200D}b\u{FEFF}\u{85}\u{9F}"], "a_b___"), ([";"], "_"), (["a~b.c-d'e#f"], "a~b.c-d'e#f"),
  ])
  func savedNamesHaveWhatBrowsersKeep(row: ([String], String)) {
    #expect(RecordingName.saved(row.0) == row.1)
  }
}
