import AnnotationsTestSupport
import Testing

@testable import Annotations

/// Results whose segments are the silence.
@Suite struct InvertedFormatTests {
  private static func write(
    _ writer: any RecordFormat, channel: Int? = nil, isInverted: Bool = true
  ) -> String {
    var (format, text) = (writer, "")
    var run = SampleRecords.run
    run.isInverted = isInverted
    run.settings.append(.init(name: "invert", json: .bool(isInverted)))
    format.begin(run, into: &text)
    for record in [
      SampleRecords.input("a.wav"), .segment(SampleRecords.span(channel: channel, 500, 1500)),
      .file(SampleRecords.file()),
    ] {
      format.write(record, into: &text)
    }
    format.end(into: &text)
    return text
  }

  private static let readable = AnnotationFormat.all.filter { $0.read != nil }.map(\.name)

  /// Labels of silence must not pass for labels of speech.
  @Test(arguments: readable, [nil, 2]) func noReaderTakesSilenceForSpeech(
    name: String, channel: Int?
  ) throws {
    let format = try #require(AnnotationFormat.all.first { $0.name == name })
    for isInverted in [false, true] {
      let text = Self.write(format.writer(), channel: channel, isInverted: isInverted)
      let (recordings, faults) = readLabels(Array(text.utf8), ending: format.fileExtension)
      let spans = recordings.values.flatMap { recording in
        if case .spans(let spans) = recording.track { spans } else { [LabelledSpan]() }
      }
      guard isInverted else {
        #expect(spans.map { [$0.start, $0.end] } == [[0.5, 1.5]] && faults.isEmpty, "\(text)")
        #expect(!recordings.values.contains { $0.hasOnlySilence })
        continue
      }
      if name.hasPrefix("json") {
        #expect(faults.contains { $0.contains("without --invert") }, "\(faults)")
      } else {
        #expect(spans.isEmpty && faults.isEmpty, "\(text)")
        #expect(recordings.values.allSatisfy { $0.hasOnlySilence }, "\(text)")
        #expect(text.contains("silence"), "\(text)")
      }
    }
  }

  @Test func linesOfTemplatesNameTheKind() {
    let format = TemplateFormat([.field(.kind), .text(" "), .field(.start)])
    #expect(Self.write(format) == "silence 0.500\n")
    #expect(Self.write(format, isInverted: false) == "segment 0.500\n")
  }
}
