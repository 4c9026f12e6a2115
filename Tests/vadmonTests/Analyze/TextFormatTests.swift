import Annotations
import AnnotationsTestSupport
import Testing

@testable import vadmon

@Suite struct TextFormatTests {
  private let plain = TextFormat(style: .plain)

  @Test func aRecordingIsWrittenAsText() {
    let records: [Record] = [
      SampleRecords.input("meeting.wav"),
      .segment(SampleRecords.span(file: "meeting.wav", 0, 5000)),
      .mutedSpeech(SampleRecords.span(file: "meeting.wav", 1000, 5200)),
      .file(SampleRecords.file("meeting.wav")),
    ]
    #expect(
      SampleRecords.write(records, plain) == """
        meeting.wav  16000 Hz, 2 channels
            0:00.000 – 0:05.000       5.000 s
            0:01.000 – 0:05.200       4.200 s  speaking while muted
          ██████████████████████████████▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁
          speech 0:01.234 of 0:10.000 (12.3 %) in 1 segment, 0:00.500 of speaking while muted

        """)
  }

  @Test func recordingsAreApartAndSilenceIsSaid() {
    var silent = SampleRecords.file("b.wav", segments: 0)
    silent.speech = .zero
    let records = SampleRecords.recording("a.wav") + [SampleRecords.input("b.wav"), .file(silent)]
    let text = SampleRecords.write(records, plain)
    #expect(text.hasSuffix("\n\nb.wav  16000 Hz, 2 channels\n  no speech in 0:10.000\n"))
  }

  @Test func withoutColourThereIsNoEscape() {
    let records = SampleRecords.names.flatMap(SampleRecords.recording)
    #expect(!SampleRecords.write(records, plain).contains("\u{1B}"))
  }

  @Test func colourChangesNothingButColour() {
    let records = SampleRecords.recording("a.wav")
    let colored = SampleRecords.write(records, TextFormat(style: TextStyle(isColored: true)))
    #expect(colored.contains("\u{1B}[1ma.wav\u{1B}[0m"))
    let stripped = colored.replacing(#/\u{1B}\[[0-9]*m/#, with: "")
    #expect(stripped == SampleRecords.write(records, plain))
  }

  /// A line break in a file's name must not look like a result.
  @Test func namesStayOnOneLine() {
    let lines = SampleRecords.names.map { name in
      SampleRecords.write([SampleRecords.input(name)], plain).split(separator: "\n").count
    }
    #expect(lines.allSatisfy { $0 == 1 })
  }
}
