/// Speech from `start` up to but not including `end`, in samples.
struct SpeechSpan: Sendable, Hashable {
  var start: UInt64
  var end: UInt64
  /// The input position at which the detector knew the end.
  var decidedAt: UInt64
}

/// Turns the detector's segments into the ones that a user asked for, as they come.
///
/// In this order: silence shorter than `minSilence` joins its neighbours; then speech shorter than
/// `minSpeech` is dropped; then `pad` is put before and behind, and segments that it makes overlap are
/// joined. With all three at zero every segment passes at once, untouched.
///
/// Spans arrive in order and apart from each other; they leave in order, as soon as nothing that may still
/// come can change them.
struct SegmentShaper: Sendable {
  /// Lengths in samples.
  struct Rules: Sendable, Hashable {
    var pad: UInt64 = 0
    var minSpeech: UInt64 = 0
    var minSilence: UInt64 = 0
  }

  let rules: Rules
  /// The newest speech, which the next may join.
  private var newest: SpeechSpan?
  /// The one before, long enough and padded, which the padding of the next may join.
  private var padded: SpeechSpan?

  init(rules: Rules) { self.rules = rules }

  mutating func add(_ span: SpeechSpan, emit: (SpeechSpan) -> Void) {
    advance(to: span.start, emit: emit)
    if let before = newest {
      newest = SpeechSpan(start: before.start, end: span.end, decidedAt: span.decidedAt)
    } else {
      newest = span
    }
    advance(to: span.end, emit: emit)
  }

  /// Says that no further speech begins before `position`.
  mutating func advance(to position: UInt64, emit: (SpeechSpan) -> Void) {
    if let span = newest, position >= span.end + rules.minSilence { settle(span, emit: emit) }
    if newest == nil, let span = padded, position >= span.end + rules.pad {
      emit(span)
      padded = nil
    }
  }

  /// Where segments that have not left yet may begin, if no further speech begins before `position`.
  func earliestStart(_ position: UInt64) -> UInt64 {
    if let padded { return padded.start }
    let start = newest?.start ?? position
    return start - min(start, rules.pad)
  }

  /// Says that the recording ends at `end`: nothing is padded beyond it.
  mutating func finish(at end: UInt64, emit: (SpeechSpan) -> Void) {
    if let span = newest { settle(span, emit: emit) }
    if var span = padded {
      span.end = min(span.end, end)
      emit(span)
    }
    padded = nil
  }

  /// The newest speech is complete: drops it, or pads it and joins it to the one before.
  private mutating func settle(_ span: SpeechSpan, emit: (SpeechSpan) -> Void) {
    newest = nil
    guard span.end - span.start >= rules.minSpeech else { return }
    var span = span
    span.start -= min(span.start, rules.pad)
    span.end += rules.pad
    if let before = padded {
      if span.start < before.end { span.start = before.start } else { emit(before) }
    }
    padded = span
  }
}
