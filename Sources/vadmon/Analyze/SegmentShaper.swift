/// Speech from `start` up to but not including `end`, in samples.
struct SpeechSpan: Sendable, Hashable {
  var start: UInt64
  var end: UInt64
  /// The input position at which the detector decided the end.
  var decidedAt: UInt64
}

/// A filter that converts the detector's segments, as they arrive, into the segments that the user asked for.
///
/// The order of steps is: join segments with silence shorter than `minSilence` between them; drop speech shorter than
/// `minSpeech`; add `pad` on both sides, and join segments that now overlap. With all three at zero, every segment
/// passes through at once and unchanged.
///
/// Spans must arrive in order and must not overlap. They are emitted in order, each as soon as no later span can change
/// it.
struct SegmentShaper: Sendable {
  /// Lengths in samples.
  struct Rules: Sendable, Hashable {
    var pad: UInt64 = 0
    var minSpeech: UInt64 = 0
    var minSilence: UInt64 = 0
  }

  let rules: Rules
  /// The newest speech, which the next span may extend.
  private var newest: SpeechSpan?
  /// The speech before it, long enough and padded, which the next speech may join once padded.
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

  /// Declares that no further speech begins before `position`.
  mutating func advance(to position: UInt64, emit: (SpeechSpan) -> Void) {
    if let span = newest, position >= span.end + rules.minSilence { settle(span, emit: emit) }
    if newest == nil, let span = padded, position >= span.end + rules.pad {
      emit(span)
      padded = nil
    }
  }

  /// Returns the earliest possible start of segments not emitted yet, if no further speech begins before `position`.
  func earliestStart(_ position: UInt64) -> UInt64 {
    if let padded { return padded.start }
    let start = newest?.start ?? position
    return start - min(start, rules.pad)
  }

  /// Ends the recording at `end`. No segment is padded beyond it.
  mutating func finish(at end: UInt64, emit: (SpeechSpan) -> Void) {
    if let span = newest { settle(span, emit: emit) }
    if var span = padded {
      span.end = min(span.end, end)
      emit(span)
    }
    padded = nil
  }

  /// Completes the newest speech: drops it, or pads it and joins it to the previous one.
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
