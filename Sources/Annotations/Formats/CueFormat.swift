/// A labelled interval in a format that describes one recording.
public struct Cue: Sendable, Hashable {
  /// The start of the interval.
  public var start: MediaTime
  /// The end of the interval.
  public var end: MediaTime
  /// The text.
  public var label: String
}

/// The syntax of a format that consists of cues.
public protocol CueSyntax {
  /// The text at the beginning of the file.
  var header: String { get }
  /// Returns the text of a cue; `number` counts from 1.
  func cue(_ cue: Cue, number: Int) -> String
}

/// A recording's speech as labels or subtitles.
///
/// Cues are sorted by their starts, as WebVTT requires and the other formats expect, so they are written when the
/// recording has ended.
public struct CueFormat<Syntax: CueSyntax>: RecordFormat {
  /// The syntax of a cue.
  public let syntax: Syntax
  private var cues: [Cue] = []

  /// Creates a format.
  public init(syntax: Syntax) { self.syntax = syntax }

  /// Appends the header.
  public mutating func begin(_ run: RunConfiguration, into text: inout String) {
    text += syntax.header
  }

  /// Keeps a span for the end.
  public mutating func write(_ record: Record, into text: inout String) {
    switch record {
    case .segment(let span): add(span, SpanLabels.speech)
    case .mutedSpeech(let span): add(span, SpanLabels.speakingWhileMuted)
    case .input, .gap, .error, .file: break
    }
  }

  /// Appends the cues.
  public mutating func end(into text: inout String) {
    cues.sort { ($0.start, $0.end) < ($1.start, $1.end) }
    for (index, cue) in cues.enumerated() { text += syntax.cue(cue, number: index + 1) }
  }

  private mutating func add(_ span: SpanRecord, _ label: String) {
    cues.append(
      Cue(start: span.start, end: span.end, label: SpanLabels.named(label, span.channelText)))
  }
}
