/// One line for each segment, made from a template.
///
/// Lines are written as soon as their segment is known. If the template contains ``Field/kind``, muted speech and gaps
/// have lines too.
public struct TemplateFormat: RecordFormat {
  /// A part of a template.
  public enum Part: Sendable, Hashable {
    /// Text that every line has.
    case text(String)
    /// A value of the segment.
    case field(Field)
  }

  /// A value of a segment, by the name of its placeholder.
  public enum Field: String, Sendable, CaseIterable {
    /// The name of the input, on one line.
    case file
    /// The name without folders and without its last extension, on one line.
    case stem
    /// What the line is about: `segment`, or `silence` in its place, `muted_speech` or `gap`.
    case kind
    /// The number of the line within its input, from 1.
    case index
    /// The channel, from 1; nothing if all channels were mixed.
    case channel
    /// Times in seconds with three decimals.
    case start, end, duration
    /// How much input had been read when start and end were decided.
    case decidedAt = "decided_at"
    /// The start in whole milliseconds.
    case startMs = "start_ms"
    /// The end in whole milliseconds.
    case endMs = "end_ms"
    /// The length in whole milliseconds.
    case durationMs = "duration_ms"
    /// The first sample, counted at the recording's rate.
    case startSample = "start_sample"
    /// The first sample after the segment.
    case endSample = "end_sample"
    /// The start as a clock shows it: `1:01.042`.
    case startClock = "start_clock"
    /// The end as a clock shows it.
    case endClock = "end_clock"
    /// The file that the segment's sound was saved to, on one line; nothing if it was not.
    case saved

    fileprivate var isName: Bool { [.file, .stem, .saved].contains(self) }
  }

  private let parts: [Part]
  private var count = 0
  private var segmentType = SpanLabels.segment

  /// Creates the format.
  public init(_ parts: [Part]) { self.parts = parts }

  /// Learns what segments are. There is no header.
  public mutating func begin(_ run: RunConfiguration, into text: inout String) {
    segmentType = run.segmentType
  }

  /// Appends a line.
  public mutating func write(_ record: Record, into text: inout String) {
    let hasKind = parts.contains(.field(.kind))
    switch record {
    case .input: count = 0
    case .segment(let span): line(segmentType, span, into: &text)
    case .mutedSpeech(let span): if hasKind { line(SpanLabels.mutedSpeech, span, into: &text) }
    case .gap(let span): if hasKind { line(SpanLabels.gap, span, into: &text) }
    case .error, .file: break
    }
  }

  private mutating func line(_ kind: String, _ span: SpanRecord, into text: inout String) {
    count += 1
    for part in parts {
      switch part {
      case .text(let fixed): text += fixed
      case .field(let field):
        let value = span.value(of: field, kind: kind, index: count)
        text += field.isName ? printable(value) : value
      }
    }
    text += "\n"
  }

}

extension SpanRecord {
  /// Returns the value of a placeholder, names as they are.
  ///
  /// - Parameter index: The number of the span within its input, from 1.
  public func value(of field: TemplateFormat.Field, kind: String, index: Int) -> String {
    switch field {
    case .file: file
    case .stem: RecordingName.stem(file)
    case .kind: kind
    case .index: "\(index)"
    case .channel: channelColumn
    case .start: start.seconds
    case .end: end.seconds
    case .duration: duration.seconds
    case .decidedAt: decidedAt.seconds
    case .startMs: "\(start.milliseconds)"
    case .endMs: "\(end.milliseconds)"
    case .durationMs: "\(duration.milliseconds)"
    case .startSample: samples.map { "\($0.lowerBound)" } ?? ""
    case .endSample: samples.map { "\($0.upperBound)" } ?? ""
    case .startClock: start.clock
    case .endClock: end.clock
    case .saved: saved ?? ""
    }
  }
}
