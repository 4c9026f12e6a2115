import AnnotationsTestSupport
import Testing

@testable import Annotations

@Suite struct CueFormatTests {
  /// Spans in the order in which they become known, which is not that of their starts.
  private let records: [Record] = [
    SampleRecords.input("a.wav"),
    .segment(SampleRecords.span(5000, 5500)),
    .segment(SampleRecords.span(3_599_999, 3_600_001)),
    .mutedSpeech(SampleRecords.span(4000, 9000)),
    .segment(SampleRecords.span(channel: 2, 359_999_990, 360_000_010)),
    .file(SampleRecords.file()),
  ]
  private let expected: [(Double, Double, String)] = [
    (4, 9, "speaking while muted"), (5, 5.5, "speech"), (3599.999, 3600.001, "speech"),
    (359_999.99, 360_000.01, "speech (channel 2)"),
  ]

  @Test func audacityLabelsAreTabSeparated() throws {
    let text = SampleRecords.write(records, AnnotationFormat.audacity.writer())
    let labels = text.split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
    try expect(labels.map { (Double($0[0]), Double($0[1]), $0[2]) })
    #expect(labels.allSatisfy { $0.count == 3 })
  }

  @Test func subRipCuesAreNumberedAndTimedWithAComma() throws {
    let text = SampleRecords.write(records, AnnotationFormat.srt.writer())
    try expect(cues(text, decimalMark: ","))
    #expect(text.contains("3\n00:59:59,999 --> 01:00:00,001\nspeech\n\n"))
    #expect(text.contains("4\n99:59:59,990 --> 100:00:00,010\nspeech (channel 2)\n\n"))
  }

  @Test func webVTTBeginsWithItsSignature() throws {
    let text = SampleRecords.write(records, AnnotationFormat.vtt.writer())
    #expect(text.hasPrefix("WEBVTT\n\n"))
    try expect(cues(text.dropFirst("WEBVTT\n\n".count), decimalMark: "."))
  }

  @Test func aRecordingWithoutSpeechIsAnEmptyFile() {
    let silent = [SampleRecords.input("a.wav"), .file(SampleRecords.file(segments: 0))]
    #expect(SampleRecords.write(silent, AnnotationFormat.audacity.writer()) == "")
    #expect(SampleRecords.write(silent, AnnotationFormat.srt.writer()) == "")
    #expect(SampleRecords.write(silent, AnnotationFormat.vtt.writer()) == "WEBVTT\n\n")
  }

  private func expect(
    _ cues: [(Double?, Double?, String)], sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try #require(cues.count == expected.count, sourceLocation: sourceLocation)
    for (cue, expected) in zip(cues, expected) {
      #expect(cue.0 == expected.0 && cue.1 == expected.1, sourceLocation: sourceLocation)
      #expect(cue.2 == expected.2, sourceLocation: sourceLocation)
    }
  }

  /// Returns the blocks between empty lines: number, times, text. A block with the wrong number has no times.
  private func cues(
    _ text: some StringProtocol, decimalMark: Character
  ) -> [(Double?, Double?, String)] {
    var blocks: [[Substring]] = [[]]
    for line in String(text).split(separator: "\n", omittingEmptySubsequences: false) {
      if line.isEmpty { blocks.append([]) } else { blocks[blocks.count - 1].append(line) }
    }
    return blocks.filter { !$0.isEmpty }.enumerated().map { index, block in
      let times = block.count == 3 ? block[1].split(separator: " ") : []
      guard times.count == 3, times[1] == "-->", block[0] == "\(index + 1)" else {
        return (nil, nil, "not a cue: \(block)")
      }
      return (
        seconds(times[0], decimalMark), seconds(times[2], decimalMark), String(block[2])
      )
    }
  }

  /// Reads `HH:MM:SS,mmm`: two or more digits for hours, then two, two and three.
  private func seconds(_ text: Substring, _ decimalMark: Character) -> Double? {
    let parts = text.split(separator: ":")
    guard parts.count == 3, parts[0].count >= 2, parts[1].count == 2, parts[2].count == 6,
      parts[2].dropFirst(2).first == decimalMark, let hours = Int(parts[0]),
      let minutes = Int(parts[1]), let whole = Int(parts[2].prefix(2)),
      let fraction = Int(parts[2].suffix(3)), minutes < 60, whole < 60
    else { return nil }
    return Double((hours * 3600 + minutes * 60 + whole) * 1000 + fraction) / 1000
  }
}
