/// A labelled interval in a format that describes one recording.
struct Cue {
  var start: MediaTime
  var end: MediaTime
  var label: String
}

/// A recording's speech as labels or subtitles.
///
/// Cues are sorted by their starts, as WebVTT requires and the other formats expect, so they are written when the
/// recording has ended.
struct CueFormat: RecordFormat {
  private let header: String
  private let cueText: (_ cue: Cue, _ number: Int) -> String
  private var cues: [Cue] = []
  private var label = SpanLabels.speech

  /// Creates a format from the text at the beginning of the file and that of a cue, whose numbers count from 1.
  init(header: String = "", cueText: @escaping (_ cue: Cue, _ number: Int) -> String) {
    (self.header, self.cueText) = (header, cueText)
  }

  mutating func begin(_ run: RunConfiguration, into text: inout String) {
    label = run.segmentLabel
    text += header
  }

  /// Keeps a span for the end.
  mutating func write(_ record: Record, into text: inout String) {
    switch record {
    case .segment(let span): add(span, label)
    case .mutedSpeech(let span): add(span, SpanLabels.speakingWhileMuted)
    case .input, .gap, .error, .file: break
    }
  }

  mutating func end(into text: inout String) {
    cues.sort { ($0.start, $0.end) < ($1.start, $1.end) }
    for (index, cue) in cues.enumerated() { text += cueText(cue, index + 1) }
  }

  private mutating func add(_ span: SpanRecord, _ label: String) {
    cues.append(
      Cue(start: span.start, end: span.end, label: SpanLabels.named(label, span.channelText)))
  }
}

extension Cue {
  /// Returns the cue as subtitles have it, in SubRip and WebVTT.
  func subtitle(_ number: Int, decimalMark: Character) -> String {
    let (start, end) = (
      start.timecode(decimalMark: decimalMark), end.timecode(decimalMark: decimalMark)
    )
    return "\(number)\n\(start) --> \(end)\n\(label)\n\n"
  }
}
