/// A buffer that sorts a recording's spans by their starts. Muted speech and segments become known at different times,
/// so muted speech could otherwise appear too early or too late among the segments.
///
/// Without a mute there is nothing to sort, and every span passes through at once.
package struct SpanOrder {
  private let holds: Bool
  private var held: [Record] = []

  package init(_ run: RunConfiguration) { holds = run.mayMute }

  /// Returns the records to write next. At the end of the recording, these are all records held so far.
  package mutating func take(_ record: Record) -> [Record] {
    guard holds else { return [record] }
    switch record {
    case .segment, .mutedSpeech, .gap:
      held.append(record)
      return []
    case .input, .error: return [record]
    case .file:
      defer { held = [] }
      return held.sorted { $0.times < $1.times } + [record]
    }
  }
}

extension Record {
  /// The start and end of a span.
  fileprivate var times: (MediaTime, MediaTime) {
    switch self {
    case .segment(let span), .mutedSpeech(let span), .gap(let span): (span.start, span.end)
    case .input, .error, .file: (.zero, .zero)
    }
  }
}
