internal import CVoiceActivity

/// Tells whether somebody speaks in one mono stream of PCM.
///
/// ```swift
/// var detector = try VoiceActivityDetector(configuration: .init(sampleRate: 48_000))
/// detector.process(samples.span) { event in … }
/// ```
/// Feed it chunks of any length; the decisions do not depend on how the stream is cut. Events and hops are
/// handed to closures as they are decided, on the calling thread. Nothing here allocates, locks or waits but the
/// initialisers.
///
/// Samples come as spans, which arrays (`samples.span`) and unsafe buffers (`buffer.span`) give without copying.
///
/// Threads: a detector moves between tasks and threads but is used by one at a time, which the compiler enforces:
/// it cannot be copied, and what analyses is mutating. What other threads may do meanwhile, mute and look, they do
/// with a ``VoiceActivityControl``.
public struct VoiceActivityDetector: ~Copyable, Sendable {
  /// The posterior's look-ahead: a hop is decided when this much audio behind its end has arrived.
  /// Positions are already shifted back by it.
  public static var lookahead: Duration { .milliseconds(va_detector_lookahead_ms()) }

  /// The SIMD body that a new detector uses: "avx512", "avx2" or "portable".
  public static var simdName: String { String(cString: va_simd_name()) }

  /// The version of the C core, "MAJOR.MINOR.PATCH".
  public static var version: String { String(cString: va_version()) }

  /// What decides.
  public let configuration: Configuration

  let core: DetectorCore
  private let room = ResultRoom()

  /// Throws ``VoiceActivityError`` if the configuration does not hold together.
  ///
  /// - Parameter isTimed: Whether ``VoiceActivityControl/times`` shall say how long calls took, for which the clock is
  ///   read twice in every 17th call.
  public init(
    configuration: Configuration, isTimed: Bool = false
  ) throws(VoiceActivityError) {
    core = try DetectorCore(configuration, isTimed: isTimed)
    self.configuration = configuration
  }

  /// One that is made already.
  init(_ core: DetectorCore) {
    self.core = core
    configuration = Configuration(core.config)
  }

  /// For other threads, which may mute the detector and see how it stands while it is used here.
  public var control: VoiceActivityControl { VoiceActivityControl(core) }

  /// Mutes or unmutes, effective with the next hop. Analysis goes on; muting only labels speech.
  public mutating func setMuted(_ muted: Bool) { core.setMuted(muted) }

  /// Back to position 0 with nothing learned; configuration and mute stay.
  public mutating func reset() { core.reset() }
}

// MARK: - Analysis

extension VoiceActivityDetector {
  /// Analyses samples (mono, full scale ±1), any number of them, and tells what happened.
  ///
  /// NaN and infinities are analysed as 0 and counted; magnitudes above 4 are limited.
  public mutating func process(_ samples: Span<Float>, onEvent: (VoiceActivityEvent) -> Void) {
    process(samples, by: va_detector_process, wantsHops: false, { _ in }, onEvent)
  }

  /// The same, and tells of each 10 ms hop: first of the hops, then of the events that came with them.
  public mutating func process(
    _ samples: Span<Float>, onHop: (VoiceActivityHop) -> Void,
    onEvent: (VoiceActivityEvent) -> Void
  ) {
    process(samples, by: va_detector_process, wantsHops: true, onHop, onEvent)
  }

  /// The same for 16-bit samples: exactly the results of the floats `sample / 32768`.
  public mutating func process(_ samples: Span<Int16>, onEvent: (VoiceActivityEvent) -> Void) {
    process(samples, by: va_detector_process_s16, wantsHops: false, { _ in }, onEvent)
  }

  /// The same for 16-bit samples: exactly the results of the floats `sample / 32768`.
  public mutating func process(
    _ samples: Span<Int16>, onHop: (VoiceActivityHop) -> Void,
    onEvent: (VoiceActivityEvent) -> Void
  ) {
    process(samples, by: va_detector_process_s16, wantsHops: true, onHop, onEvent)
  }

  /// Reports `count` samples as missing. A gap of up to 60 ms leaves the decision as it is; a longer one ends speech where it
  /// was last heard. Gaps that follow each other are one, reported by one `discontinuity` event with the next sample or
  /// the end.
  public mutating func pushGap(
    _ count: UInt64,
    onHop: (VoiceActivityHop) -> Void = { _ in },
    onEvent: (VoiceActivityEvent) -> Void
  ) {
    if hear(wantsHops: true, onHop, onEvent, { va_detector_push_gap(core.detector, count, &$0) }) {
      hearTheRest(onHop, onEvent)
    }
  }

  /// Says how loud `count` samples were that are not at hand: in a server that does not decode, by RFC 6464.
  ///
  /// Such hops have the posterior 1 with the sender's voice flag and 0 without; everything else is as ever, and PCM,
  /// gaps and levels mix in one stream.
  public mutating func push(
    _ level: AudioLevel, count: UInt64,
    onHop: (VoiceActivityHop) -> Void = { _ in },
    onEvent: (VoiceActivityEvent) -> Void
  ) {
    // First what waits, so that there is room.
    hearTheRest(onHop, onEvent)
    let isMore = hear(wantsHops: true, onHop, onEvent) {
      va_detector_push_level(core.detector, count, level.dBov, level.hasVoice, &$0)
    }
    if isMore { hearTheRest(onHop, onEvent) }
  }

  /// Ends the stream: decides what still waits for its look-ahead and ends open speech. Only ``reset()`` makes
  /// sense after it.
  public mutating func flush(
    onHop: (VoiceActivityHop) -> Void = { _ in },
    onEvent: (VoiceActivityEvent) -> Void
  ) {
    while hear(wantsHops: true, onHop, onEvent, { va_detector_flush(core.detector, &$0) }) {}
  }

  /// What no output had room for.
  private func hearTheRest(
    _ onHop: (VoiceActivityHop) -> Void, _ onEvent: (VoiceActivityEvent) -> Void
  ) {
    var isMore = true
    while isMore {
      isMore = hear(wantsHops: true, onHop, onEvent) { output in
        var consumed = 0
        return va_detector_process(core.detector, nil, 0, &consumed, &output)
      }
    }
  }

  /// As C has it: a detector, samples, how many; how many it took, results.
  private typealias Analysis<Sample> = (
    OpaquePointer, UnsafePointer<Sample>?, Int, UnsafeMutablePointer<Int>,
    UnsafeMutablePointer<va_output>
  ) -> va_status_code

  @inline(__always)
  private func process<Sample>(
    _ samples: Span<Sample>, by analysis: Analysis<Sample>, wantsHops: Bool,
    _ onHop: (VoiceActivityHop) -> Void, _ onEvent: (VoiceActivityEvent) -> Void
  ) {
    // What a monitor passes on of a gap; no call that its time would say anything of.
    guard !samples.isEmpty else { return }
    let start = core.stopwatch?.start()
    samples.withUnsafeBufferPointer { buffer in
      var done = 0
      while done < buffer.count {
        let rest = UnsafeBufferPointer(rebasing: buffer[done...])
        hear(wantsHops: wantsHops, onHop, onEvent) { output in
          var consumed = 0
          let code = analysis(core.detector, rest.baseAddress, rest.count, &consumed, &output)
          done += consumed
          return code
        }
      }
    }
    if let start { core.stopwatch?.count(monotonicTime() - start) }
  }

  /// One call into C, its results handed on; true if more wait.
  @discardableResult
  private func hear(
    wantsHops: Bool, _ onHop: (VoiceActivityHop) -> Void, _ onEvent: (VoiceActivityEvent) -> Void,
    _ call: (inout va_output) -> va_status_code
  ) -> Bool {
    var output = room.output(wantsHops: wantsHops)
    let code = call(&output)
    precondition(code == VA_OK, "the stream was used after flush()")
    output.tell(core, onHop, onEvent)
    return output.more
  }
}

extension va_output {
  /// Hands on what a call has decided.
  @inline(__always)
  func tell(
    _ core: DetectorCore, _ onHop: (VoiceActivityHop) -> Void,
    _ onEvent: (VoiceActivityEvent) -> Void
  ) {
    for index in 0..<hop_count { onHop(VoiceActivityHop(hops[index])) }
    for index in 0..<event_count {
      guard let event = VoiceActivityEvent(events[index]) else { continue }
      core.count(event.kind)
      onEvent(event)
    }
  }
}

// MARK: - The input

extension VoiceActivityDetector {
  /// What the input held since the start or the last ``reset()``, in samples.
  public struct InputCounts: Sendable, Hashable {
    /// At or beyond full scale.
    public let clipped: UInt64
    /// NaN or infinite, each analysed as 0.
    public let nonFinite: UInt64
    /// Reported to ``pushGap(_:onHop:onEvent:)``.
    public let missing: UInt64
  }

  /// What the input held so far.
  public var inputCounts: InputCounts { InputCounts(core.cStatus) }
}

extension VoiceActivityDetector.InputCounts {
  init(_ status: va_status) {
    clipped = status.clipped_samples
    nonFinite = status.non_finite_samples
    missing = status.missing_samples
  }
}
