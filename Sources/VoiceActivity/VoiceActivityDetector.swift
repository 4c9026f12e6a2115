internal import CVoiceActivity
internal import RealTime

/// A detector that decides whether somebody speaks in one mono stream of PCM.
///
/// ```swift
/// var detector = try VoiceActivityDetector(configuration: .init(sampleRate: 48_000))
/// detector.process(samples.span) { event in … }
/// ```
/// Chunks may have any length; the decisions do not depend on how the stream is cut. The detector reports hops and
/// events to closures on the calling thread as it decides them. Only the initialisers allocate, and nothing locks or
/// waits.
///
/// Samples come as spans, which arrays (`samples.span`) and unsafe buffers (`buffer.span`) give without copying.
///
/// Threads: a detector may move between tasks and threads, but one at a time uses it. The compiler enforces this: a
/// detector cannot be copied, and the methods that analyse are mutating. Meanwhile, other threads can mute it and read
/// its status through a ``VoiceActivityControl``.
public struct VoiceActivityDetector: ~Copyable, Sendable {
  /// The look-ahead of the posterior: a hop is decided once this much audio after its end has arrived.
  /// Positions are already shifted back by it.
  public static var lookahead: Duration { .milliseconds(va_detector_lookahead_ms()) }

  /// How much later the results of a smoothed detector come.
  public static var smoothingDelay: Duration { .milliseconds(VA_SMOOTHER_DELAY_MS) }

  /// How long at most an onset lies before the first hop at or above the onset threshold.
  public static var longestRise: Duration { .milliseconds(VA_RISE_MAX_MS) }

  /// The name of the SIMD body that a new detector uses: "avx512", "avx2" or "portable".
  public static var simdName: String { String(cString: va_simd_name()) }

  /// The version of the C core, "MAJOR.MINOR.PATCH".
  public static var version: String { String(cString: va_version()) }

  /// Returns the bytes that C keeps for a stream of this rate.
  package static func byteCount(sampleRate: Int) -> Int {
    va_detector_size_for(UInt32(clamping: sampleRate))
  }

  /// The settings that the detector was made with.
  public let configuration: Configuration

  let core: DetectorCore
  private let room = ResultRoom()
  /// Decides with what follows; `nil` for a live host.
  private let smoother: ResultSmoother?

  /// Creates a detector.
  ///
  /// - Parameters:
  ///   - configuration: The settings.
  ///   - isSmoothed: Whether hops and events come ``smoothingDelay`` later, decided with the sound that follows: for
  ///     recordings, and for hosts that can wait. Saving the detector does not save what waits.
  ///   - isTimed: Whether ``VoiceActivityControl/times`` reports how long calls take. Timing reads the clock twice in
  ///     every 17th call.
  /// - Throws: ``VoiceActivityError`` if a setting is out of range.
  public init(
    configuration: Configuration, isSmoothed: Bool = false, isTimed: Bool = false
  ) throws(VoiceActivityError) {
    let smoother = isSmoothed ? try ResultSmoother(configuration) : nil
    core = try DetectorCore(configuration, isTimed: isTimed)
    self.smoother = smoother
    self.configuration = configuration
  }

  /// Wraps a detector that exists already.
  init(_ core: DetectorCore) {
    self.core = core
    smoother = nil
    configuration = Configuration(core.config)
  }

  /// Whether hops and events come ``smoothingDelay`` later.
  public var isSmoothed: Bool { smoother != nil }

  /// A handle through which other threads can mute the detector and read its status.
  public var control: VoiceActivityControl { VoiceActivityControl(core) }

  /// Mutes or unmutes, effective with the next hop. The analysis continues; muting only labels speech.
  public mutating func setMuted(_ muted: Bool) { core.setMuted(muted) }

  /// Returns to position 0 and forgets what was learned. The configuration and the mute stay.
  public mutating func reset() {
    core.reset()
    smoother?.reset()
  }
}

// MARK: - Analysis

extension VoiceActivityDetector {
  /// Analyses any number of samples (mono, full scale ±1) and reports the events.
  ///
  /// NaN and infinities are analysed as 0 and counted. Magnitudes above 4 are limited to 4.
  public mutating func process(_ samples: Span<Float>, onEvent: (VoiceActivityEvent) -> Void) {
    process(samples, by: va_detector_process, beside: nil, wantsHops: false, { _ in }, onEvent)
  }

  /// Analyses samples and reports each 10 ms hop and the events: the hops first, then the events that came with them.
  public mutating func process(
    _ samples: Span<Float>, onHop: (VoiceActivityHop) -> Void,
    onEvent: (VoiceActivityEvent) -> Void
  ) {
    process(samples, by: va_detector_process, beside: nil, wantsHops: true, onHop, onEvent)
  }

  /// Analyses 16-bit samples and reports the events. The results are exactly those of the floats `sample / 32768`.
  public mutating func process(_ samples: Span<Int16>, onEvent: (VoiceActivityEvent) -> Void) {
    process(samples, by: va_detector_process_s16, beside: nil, wantsHops: false, { _ in }, onEvent)
  }

  /// Analyses 16-bit samples and reports hops and events. The results are exactly those of the floats `sample / 32768`.
  public mutating func process(
    _ samples: Span<Int16>, onHop: (VoiceActivityHop) -> Void,
    onEvent: (VoiceActivityEvent) -> Void
  ) {
    process(samples, by: va_detector_process_s16, beside: nil, wantsHops: true, onHop, onEvent)
  }

  /// Analyses `count` missing samples.
  ///
  /// A gap of up to 60 ms does not change the decision. A longer one ends speech at the last hop that was heard.
  /// Adjacent gaps count as one, which the detector reports in one `discontinuity` event with the next sample or at
  /// the end.
  public mutating func pushGap(
    _ count: UInt64,
    onHop: (VoiceActivityHop) -> Void = { _ in },
    onEvent: (VoiceActivityEvent) -> Void
  ) {
    pushGap(count, beside: nil, onHop, onEvent)
  }

  /// Analyses `count` samples of which only the level is known, as in a server that forwards RFC 6464 levels without
  /// decoding.
  ///
  /// The posterior of such a hop is 1 if the sender set its voice flag, otherwise 0. Everything else works as with PCM.
  /// One stream may mix PCM, gaps and levels.
  public mutating func push(
    _ level: AudioLevel, count: UInt64,
    onHop: (VoiceActivityHop) -> Void = { _ in },
    onEvent: (VoiceActivityEvent) -> Void
  ) {
    // Fetch what waits first, so that there is room.
    reportRest(beside: nil, onHop, onEvent)
    let isMore = reportCall(wantsHops: true, onHop, onEvent) {
      va_detector_push_level(core.detector, count, level.dBov, level.hasVoice, &$0)
    }
    if isMore { reportRest(beside: nil, onHop, onEvent) }
  }

  /// Ends the stream: decides the hops that still wait for their look-ahead, and ends open speech.
  ///
  /// After it, only ``reset()`` may be called.
  public mutating func flush(
    onHop: (VoiceActivityHop) -> Void = { _ in },
    onEvent: (VoiceActivityEvent) -> Void
  ) {
    flush(beside: nil, onHop, onEvent)
  }

  func pushGap(
    _ count: UInt64, beside echo: OpaquePointer?, _ onHop: (VoiceActivityHop) -> Void,
    _ onEvent: (VoiceActivityEvent) -> Void
  ) {
    let isMore = reportCall(wantsHops: true, onHop, onEvent) {
      va_detector_push_gap(core.detector, echo, count, &$0)
    }
    if isMore { reportRest(beside: echo, onHop, onEvent) }
  }

  func flush(
    beside echo: OpaquePointer?, _ onHop: (VoiceActivityHop) -> Void,
    _ onEvent: (VoiceActivityEvent) -> Void
  ) {
    while reportCall(
      wantsHops: true, onHop, onEvent, { va_detector_flush(core.detector, echo, &$0) })
    {}
    smoother?.report(nil, core, onHop, onEvent)
  }

  /// Reports the results that earlier outputs had no room for.
  private func reportRest(
    beside echo: OpaquePointer?, _ onHop: (VoiceActivityHop) -> Void,
    _ onEvent: (VoiceActivityEvent) -> Void
  ) {
    var isMore = true
    while isMore {
      isMore = reportCall(wantsHops: true, onHop, onEvent) { output in
        var consumed = 0
        return va_detector_process(core.detector, echo, nil, 0, &consumed, &output)
      }
    }
  }

  /// The shape of C's analysis calls: detector, echo, samples and their count in; count consumed and results out.
  typealias Analysis<Sample> = (
    OpaquePointer, OpaquePointer?, UnsafePointer<Sample>?, Int, UnsafeMutablePointer<Int>,
    UnsafeMutablePointer<va_output>
  ) -> va_status_code

  @inline(__always)
  func process<Sample>(
    _ samples: Span<Sample>, by analysis: Analysis<Sample>, beside echo: OpaquePointer?,
    wantsHops: Bool, _ onHop: (VoiceActivityHop) -> Void, _ onEvent: (VoiceActivityEvent) -> Void
  ) {
    // A monitor passes an empty block after a gap. Timing such a call would distort the statistics.
    guard !samples.isEmpty else { return }
    let start = core.stopwatch?.start()
    samples.withUnsafeBufferPointer { buffer in
      var (done, isMore) = (0, false)
      // The last call may take all samples and have no room for the hop that they complete.
      while done < buffer.count || isMore {
        let rest = UnsafeBufferPointer(rebasing: buffer[done...])
        isMore = reportCall(wantsHops: wantsHops, onHop, onEvent) { output in
          var consumed = 0
          let code = analysis(core.detector, echo, rest.baseAddress, rest.count, &consumed, &output)
          done += consumed
          return code
        }
      }
    }
    if let start { core.stopwatch?.count(monotonicTime() - start) }
  }

  /// Makes one call into C and reports its results. Returns whether more results wait.
  private func reportCall(
    wantsHops: Bool, _ onHop: (VoiceActivityHop) -> Void, _ onEvent: (VoiceActivityEvent) -> Void,
    _ call: (inout va_output) -> va_status_code
  ) -> Bool {
    var output = room.output(wantsHops: wantsHops || smoother != nil)
    let code = call(&output)
    precondition(code == VA_OK, "the stream was used after flush()")
    if let smoother {
      smoother.report(&output, core, onHop, onEvent)
    } else {
      output.report(core, onHop, onEvent)
    }
    return output.more
  }
}

extension va_output {
  /// Reports what a call has decided, and counts the events.
  @inline(__always)
  func report(
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
  /// Counts of unusual samples in the input since the start or the last ``reset()``.
  public struct InputCounts: Sendable, Hashable {
    /// Samples at or beyond full scale.
    public private(set) var clipped: UInt64 = 0
    /// Samples that were NaN or infinite, each analysed as 0.
    public private(set) var nonFinite: UInt64 = 0
    /// Samples that were missing: those passed to ``pushGap(_:onHop:onEvent:)``.
    public private(set) var missing: UInt64 = 0

    /// Creates counts of 0.
    public init() {}
  }

  /// What the input contained since the start or the last ``reset()``.
  public var inputCounts: InputCounts { InputCounts(core.cStatus) }
}

extension VoiceActivityDetector.InputCounts {
  /// Adds the unusual samples of another channel of the same stream.
  mutating func addSamples(of other: Self) {
    clipped += other.clipped
    nonFinite += other.nonFinite
  }

  init(_ status: va_status) {
    clipped = status.clipped_samples
    nonFinite = status.non_finite_samples
    missing = status.missing_samples
  }
}
