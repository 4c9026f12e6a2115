internal import CVoiceActivity

/// Tells whether somebody speaks in one mono stream of PCM.
///
/// Feed it chunks of any length; the decisions do not depend on how the stream is cut. Events and hops are
/// handed to closures as they are decided, on the calling thread. ``VoiceActivityDetector/process(_:onHop:onEvent:)``
/// neither allocates nor locks.
///
/// Threads: a detector moves between threads but is used by one at a time, which the compiler enforces
/// (it cannot be copied, and its methods are mutating). It is `Sendable` because it alone knows its memory.
public struct VoiceActivityDetector: ~Copyable, @unchecked Sendable {
  /// The posterior's look-ahead: a hop is decided when this much audio behind its end has arrived.
  /// Positions are already shifted back by it.
  public static var lookahead: Duration { .milliseconds(va_detector_lookahead_ms()) }

  /// "avx2" or "portable".
  public static var simdName: String { String(cString: va_simd_name()) }

  /// The version of the C core, "MAJOR.MINOR.PATCH".
  public static var version: String { String(cString: va_version()) }

  public let configuration: Configuration

  /// What C works in: `memory` owns the bytes of `core` and of the room for results.
  private let memory: UnsafeMutableRawPointer
  private let core: OpaquePointer
  private let events: UnsafeMutableBufferPointer<va_event>
  private let hops: UnsafeMutableBufferPointer<va_hop>

  /// Hops per call into C: enough to make the call's cost vanish, few enough to stay in the L1 cache.
  private static var hopCapacity: Int { 32 }
  private static var eventCapacity: Int { 4 * Int(VA_EVENTS_PER_HOP_MAX) }

  /// Throws ``VoiceActivityError`` if the configuration does not hold together.
  public init(configuration: Configuration) throws(VoiceActivityError) {
    let size = va_detector_size()
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: size, alignment: Int(VA_DETECTOR_ALIGNMENT))
    var config = configuration.cValue
    var core: OpaquePointer?
    let code = va_detector_init(memory, size, &config, &core)
    guard code == VA_OK, let core else {
      memory.deallocate()
      throw VoiceActivityError(code)
    }
    self.configuration = configuration
    self.memory = memory
    self.core = core
    events = .allocate(capacity: Self.eventCapacity)
    hops = .allocate(capacity: Self.hopCapacity)
  }

  deinit {
    memory.deallocate()
    events.deallocate()
    hops.deallocate()
  }

  /// Back to position 0 with nothing learned; configuration and mute stay.
  public mutating func reset() { va_detector_reset(core) }

  /// Analyses samples (mono, full scale ±1), any number of them.
  ///
  /// NaN and infinities are analysed as 0 and counted; magnitudes above 4 are limited.
  public mutating func process(
    _ samples: Span<Float>,
    onHop: (VoiceActivityHop) -> Void = { _ in },
    onEvent: (VoiceActivityEvent) -> Void
  ) {
    samples.withUnsafeBufferPointer { buffer in
      var done = 0
      while done < buffer.count {
        run(onHop, onEvent) { core, output in
          var consumed = 0
          let rest = buffer.baseAddress! + done
          let code = va_detector_process(core, rest, buffer.count - done, &consumed, output)
          done += consumed
          return code
        }
      }
    }
  }

  /// The same for 16-bit samples: exactly the results of the floats `sample / 32768`.
  public mutating func process(
    _ samples: Span<Int16>,
    onHop: (VoiceActivityHop) -> Void = { _ in },
    onEvent: (VoiceActivityEvent) -> Void
  ) {
    samples.withUnsafeBufferPointer { buffer in
      var done = 0
      while done < buffer.count {
        run(onHop, onEvent) { core, output in
          var consumed = 0
          let rest = buffer.baseAddress! + done
          let code = va_detector_process_s16(core, rest, buffer.count - done, &consumed, output)
          done += consumed
          return code
        }
      }
    }
  }

  /// Says that `count` samples are missing. The hops that the gap touches are non-speech; gaps that follow each
  /// other are one, told of by one `discontinuity` event with the next sample or the end.
  public mutating func pushGap(
    _ count: UInt64,
    onHop: (VoiceActivityHop) -> Void = { _ in },
    onEvent: (VoiceActivityEvent) -> Void
  ) {
    var more = run(onHop, onEvent) { core, output in va_detector_push_gap(core, count, output) }
    while more {
      more = run(onHop, onEvent) { core, output in
        var consumed = 0
        return va_detector_process(core, nil, 0, &consumed, output)
      }
    }
  }

  /// Ends the stream: decides what still waits for its look-ahead and ends open speech. Only ``reset()`` makes
  /// sense after it.
  public mutating func flush(
    onHop: (VoiceActivityHop) -> Void = { _ in },
    onEvent: (VoiceActivityEvent) -> Void
  ) {
    while run(onHop, onEvent, { core, output in va_detector_flush(core, output) }) {}
  }

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
  public var inputCounts: InputCounts {
    var status = va_status()
    status.struct_size = UInt32(MemoryLayout<va_status>.size)
    va_detector_status(core, &status)
    return InputCounts(
      clipped: status.clipped_samples, nonFinite: status.non_finite_samples,
      missing: status.missing_samples)
  }

  /// Mutes or unmutes, effective with the next hop. Analysis goes on; muting only labels speech.
  public mutating func setMuted(_ muted: Bool) { va_detector_set_muted(core, muted) }

  /// One call into C, its results handed on; true if more wait.
  @discardableResult
  private func run(
    _ onHop: (VoiceActivityHop) -> Void,
    _ onEvent: (VoiceActivityEvent) -> Void,
    _ call: (OpaquePointer, UnsafeMutablePointer<va_output>) -> va_status_code
  ) -> Bool {
    var output = va_output(
      events: events.baseAddress, event_capacity: events.count, event_count: 0,
      hops: hops.baseAddress, hop_capacity: hops.count, hop_count: 0, more: false)
    let code = call(core, &output)
    precondition(code == VA_OK, "the stream was used after flush()")
    for index in 0..<output.hop_count { onHop(VoiceActivityHop(hops[index])) }
    for index in 0..<output.event_count {
      if let event = VoiceActivityEvent(events[index]) { onEvent(event) }
    }
    return output.more
  }
}
