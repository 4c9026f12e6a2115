internal import CVoiceActivity

/// A segment to save: the samples from `start` up to, but not including, `end`.
public struct SpeechCut: Sendable, Hashable {
  /// The first sample.
  public var start: UInt64
  /// The end.
  public var end: UInt64
  /// The input position at which the end was decided.
  public var decidedAt: UInt64
  /// Whether speech was cut at the end: the next cut begins there.
  public var continues: Bool

  /// Creates a cut.
  public init(start: UInt64, end: UInt64, decidedAt: UInt64, continues: Bool = false) {
    (self.start, self.end, self.decidedAt, self.continues) = (start, end, decidedAt, continues)
  }
}

/// A cutter that turns the results of a detector into the segments that a host saves: it joins, drops, splits and pads
/// speech. `voice_activity.h` describes the rules under CUTTING.
///
/// ```swift
/// var cutter = try SpeechCutter(rules: .init(padBefore: .milliseconds(200)), of: detector.configuration)
/// detector.process(samples, onHop: { hops.append($0) }, onEvent: { events.append($0) })
/// cutter.push(hops: hops.span, events: events.span) { cut in … }
/// ```
/// It holds positions, not sound. The cuts do not depend on how the stream was cut into chunks.
///
/// Only the initialiser allocates. Nothing locks or waits.
///
/// Threads: a cutter may move between threads, but one at a time uses it, which the compiler enforces. `@unchecked
/// Sendable` is safe for that reason: C binds a cutter to no thread.
public struct SpeechCutter: ~Copyable, @unchecked Sendable {
  /// The rules, applied in this order. Each length is at most one hour.
  public struct Rules: Sendable, Hashable {
    /// Speech that is separated by less silence than this is joined.
    public var minSilence: Duration
    /// Speech that is then shorter than this is dropped.
    public var minSpeech: Duration
    /// No cut is longer: speech that is, is cut at the best pause in the second half of this length. `nil` sets no
    /// limit; otherwise it is at least ``shortestMaxLength``.
    public var maxLength: Duration?
    /// How much earlier each cut begins: the pre-roll.
    public var padBefore: Duration
    /// How much later each cut ends. Cuts that now overlap are joined, unless they would be too long.
    public var padAfter: Duration

    /// Creates rules.
    public init(
      minSilence: Duration = .zero, minSpeech: Duration = .zero, maxLength: Duration? = nil,
      padBefore: Duration = .zero, padAfter: Duration = .zero
    ) {
      (self.minSilence, self.minSpeech, self.maxLength) = (minSilence, minSpeech, maxLength)
      (self.padBefore, self.padAfter) = (padBefore, padAfter)
    }

    /// The shortest that `maxLength` may be beside the padding.
    public var shortestMaxLength: Duration {
      .milliseconds(padBefore.wholeMilliseconds) + .milliseconds(padAfter.wholeMilliseconds)
        + .milliseconds(VA_CUT_MIN_MS)
    }
  }

  /// The cutter that C made. Valid until `deinit` destroys it, and no copy leaves this type.
  private let cutter: OpaquePointer

  /// Creates a cutter for a stream whose detector has this configuration.
  ///
  /// - Throws: ``VoiceActivityError/duration`` if a length is out of range, or what the detector's initialiser throws.
  public init(
    rules: Rules, of configuration: VoiceActivityDetector.Configuration
  ) throws(VoiceActivityError) {
    var config = configuration.cValue
    var value = va_cut_rules(
      struct_size: UInt32(MemoryLayout<va_cut_rules>.size),
      min_silence_ms: rules.minSilence.wholeMilliseconds,
      min_speech_ms: rules.minSpeech.wholeMilliseconds,
      max_length_ms: rules.maxLength?.wholeMilliseconds ?? 0,
      pad_before_ms: rules.padBefore.wholeMilliseconds,
      pad_after_ms: rules.padAfter.wholeMilliseconds)
    var made: OpaquePointer?
    let code = va_cutter_create(&value, &config, &made)
    guard code == VA_OK, let made else { throw VoiceActivityError(code) }
    cutter = made
  }

  deinit { va_cutter_destroy(cutter) }

  /// Reads the results of one or more calls on the detector, in order, and reports the cuts that they complete.
  public mutating func push(
    hops: Span<VoiceActivityHop>, events: Span<VoiceActivityEvent>, onCut: (SpeechCut) -> Void
  ) {
    hops.withUnsafeBufferPointer { hops in
      events.withUnsafeBufferPointer { events in
        var results = va_output(
          events: inC(events.baseAddress), event_capacity: events.count, event_count: events.count,
          hops: inC(hops.baseAddress), hop_capacity: hops.count, hop_count: hops.count, more: false)
        var cut = va_cut()
        while va_cutter_next(cutter, &results, &cut) { onCut(SpeechCut(cut)) }
      }
    }
  }

  /// Takes speech of which only the ends are known. Speech must come in order.
  package mutating func push(speech: Range<UInt64>, onCut: (SpeechCut) -> Void) {
    let events: [2 of VoiceActivityEvent] = [
      VoiceActivityEvent(.onset, at: speech.lowerBound),
      VoiceActivityEvent(.offset, at: speech.upperBound),
    ]
    push(hops: Span(), events: events.span, onCut: onCut)
  }

  /// Ends the stream, `end` samples after its beginning, and reports the remaining cuts.
  public mutating func finish(at end: UInt64, onCut: (SpeechCut) -> Void) {
    var cut = va_cut()
    while va_cutter_finish(cutter, end, &cut) { onCut(SpeechCut(cut)) }
  }

  /// The first sample that the next cut can contain, up to the end of what it surely contains. What lies before the
  /// range can be forgotten; if the range is empty, no cut has begun for sure.
  public var beginning: Range<UInt64> {
    var certain: UInt64 = 0
    let needed = va_cutter_needed(cutter, &certain)
    return needed..<certain
  }

  /// Fades a cut in and out, in place, along 3t² − 2t³. It does not fade where speech was cut.
  ///
  /// - Parameters:
  ///   - frames: Interleaved samples.
  ///   - position: The position of the first of them in the stream.
  ///   - follows: Whether the cut before continues in this one.
  ///   - length: The number of frames of each fade.
  public static func fade(
    _ frames: inout [Float], channelCount: Int, at position: UInt64, of cut: SpeechCut,
    follows: Bool, length: UInt64
  ) {
    var value = va_cut(
      start: cut.start, end: cut.end, decided_at: cut.decidedAt, continues: cut.continues)
    va_cut_fade(
      &frames, frames.count / channelCount, UInt32(channelCount), position, &value, follows, length)
  }
}

extension SpeechCut {
  fileprivate init(_ cut: va_cut) {
    self.init(
      start: cut.start, end: cut.end, decidedAt: cut.decided_at, continues: cut.continues)
  }
}

extension VoiceActivityEvent {
  fileprivate init(_ kind: Kind, at position: UInt64) {
    self.init(
      cValue: va_event(
        type: kind.rawValue, reserved: 0, position: position, decided_at: position,
        length_samples: 0))
  }
}

/// The hops or events at an address as C has them, which is all that the Swift types store.
private func inC<Value>(_ first: UnsafeRawPointer?) -> UnsafeMutablePointer<Value>? {
  UnsafeMutableRawPointer(mutating: first)?.assumingMemoryBound(to: Value.self)
}
