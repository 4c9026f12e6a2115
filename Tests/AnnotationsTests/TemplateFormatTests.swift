import AnnotationsTestSupport
import Testing

@testable import Annotations

@Suite struct TemplateFormatTests {
  private func write(_ records: [Record], _ parts: [TemplateFormat.Part]) -> String {
    SampleRecords.write(records, TemplateFormat(parts))
  }

  @Test func everyFieldIsWritten() {
    let span = SampleRecords.span(file: "x/two words.wav", channel: 2, 3_599_999, 3_661_007)
    let parts = TemplateFormat.Field.allCases.flatMap { field in
      [.text("\(field.rawValue)="), .field(field), .text(";")] as [TemplateFormat.Part]
    }
    #expect(
      write([.segment(span)], parts)
        == "file=x/two words.wav;stem=two words;kind=segment;index=1;channel=2;"
        + "start=3599.999;end=3661.007;duration=61.008;decided_at=3661.257;start_ms=3599999;"
        + "end_ms=3661007;duration_ms=61008;start_sample=57599984;end_sample=58576112;"
        + "start_clock=59:59.999;end_clock=1:01:01.007;saved=;\n")
    var saved = span
    saved.saved = "new\nline.wav"
    #expect(write([.segment(saved)], [.field(.saved)]) == "new\\nline.wav\n")
  }

  @Test func linesAreCountedWithinEachInput() {
    let records = SampleRecords.recording("a.wav") + SampleRecords.recording("b.wav")
    let parts: [TemplateFormat.Part] = [.field(.stem), .text(" "), .field(.index)]
    #expect(write(records, parts) == "a 1\na 2\nb 1\nb 2\n")
    #expect(
      write(records, parts + [.text(" "), .field(.kind)])
        == "a 1 segment\na 2 muted_speech\na 3 gap\na 4 segment\n"
        + "b 1 segment\nb 2 muted_speech\nb 3 gap\nb 4 segment\n")
  }

  @Test func aSegmentIsALineWhateverItsName() {
    let records = SampleRecords.names.map { Record.segment(SampleRecords.span(file: $0, 0, 10)) }
    let text = write(records, [.field(.file), .text("\t"), .field(.channel)])
    #expect(text.split(separator: "\n").count == SampleRecords.names.count)
    #expect(text.contains("line\\nbreak.wav\t\n") && text.contains("tab\\t.wav\t\n"))
    #expect(!text.unicodeScalars.contains("\u{1B}"))
  }
}
