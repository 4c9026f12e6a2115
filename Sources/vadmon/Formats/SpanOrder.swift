/// Keeps a recording's spans in the order of their starts, where muted speech would come too early or too late among the
/// segments: it is known at another time than they are.
///
/// Without a mute there is nothing to sort, and every span passes at once.
struct SpanOrder {
  private let holds: Bool
  private var held: [Record] = []

  init(_ run: RunConfiguration) { holds = run.mayMute }

  /// The records that come next: all that were held when the recording is over.
  mutating func take(_ record: Record) -> [Record] {
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
  /// Start and end of a span.
  fileprivate var times: (Timestamp, Timestamp) {
    switch self {
    case .segment(let span), .mutedSpeech(let span), .gap(let span): (span.start, span.end)
    case .input, .error, .file: (.zero, .zero)
    }
  }
}
