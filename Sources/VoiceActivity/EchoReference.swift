internal import CVoiceActivity

/// What a loudspeaker beside the microphone plays, so that a detector does not take it for the user.
///
/// ```swift
/// var reference = try EchoReference(sampleRate: 48_000)
/// // Every 10 ms: first what plays, then what is heard.
/// try reference.push(played.span)
/// detector.process(heard.span, beside: &reference) { event in … }
/// ```
/// It finds the delay, 0 to 750 ms, and how loud the echo is in each band, and takes the echo out of what the detector
/// decides: thresholds, events and levels keep their meaning. It is not an echo canceller; there is nothing to listen
/// to. Without echo, as with a headset, it changes little.
///
/// Sample *n* of the reference belongs to the time *n* / rate since the reference was made or reset, and so does sample
/// *n* of what the detector processes beside it. One reference belongs to one detector, for the whole of its stream.
///
/// Only the initialiser allocates, and nothing locks or waits.
///
/// Threads: a reference may move between threads, but one at a time uses it, which the compiler enforces.
public struct EchoReference: ~Copyable, Sendable {
  /// The sample rate of what plays, in Hz. The microphone's may be another.
  public var sampleRate: Int { core.sampleRate }
  let core: EchoCore
  var echo: OpaquePointer { core.echo }

  /// Creates a reference at time 0.
  ///
  /// - Parameter sampleRate: 8000 … 192000 Hz.
  /// - Throws: ``VoiceActivityError/sampleRate`` if the rate is out of range.
  public init(sampleRate: Int) throws(VoiceActivityError) {
    core = try EchoCore(sampleRate: sampleRate)
  }

  init(_ core: EchoCore) { self.core = core }

  /// Returns to time 0 and forgets what was learned: with ``VoiceActivityDetector/reset()``, or for another device.
  public mutating func reset() { va_echo_reset(echo) }

  /// Takes samples of what plays, of any scale, before the microphone's of the same time.
  ///
  /// They may come up to 100 ms early. Those that come too late are left out and counted (``EchoStatus/lateSamples``):
  /// silence has taken their place. So a reference that pauses must be continued with ``pushSilence(_:)``.
  ///
  /// What counts is the mean of the channels. As in a room, those in opposite phase do not cancel: where the
  /// odd-numbered channels, counted from 0, are together most of the time the opposite of the others, they count
  /// inverted.
  ///
  /// - Parameters:
  ///   - frames: One sample of each channel after the other.
  ///   - channelCount: 1 … 8, of which the number of samples is a multiple.
  /// - Throws: ``VoiceActivityError/referenceEarly`` if the samples reach more than 100 ms beyond the microphone's.
  ///   Then none is taken.
  public mutating func push(
    _ frames: Span<Float>, channelCount: Int = 1
  ) throws(VoiceActivityError) {
    let count = frameCount(of: frames.count, channelCount)
    try VoiceActivityError.check(
      frames.withUnsafeBufferPointer {
        va_echo_push_interleaved(echo, $0.baseAddress, count, UInt32(channelCount))
      })
  }

  /// Takes 16-bit samples likewise.
  public mutating func push(
    _ frames: Span<Int16>, channelCount: Int = 1
  ) throws(VoiceActivityError) {
    let count = frameCount(of: frames.count, channelCount)
    try VoiceActivityError.check(
      frames.withUnsafeBufferPointer {
        va_echo_push_interleaved_s16(echo, $0.baseAddress, count, UInt32(channelCount))
      })
  }

  /// Takes `count` samples of silence, or of which nothing is known, likewise.
  public mutating func pushSilence(_ count: UInt64) throws(VoiceActivityError) {
    try VoiceActivityError.check(va_echo_push_silence(echo, count))
  }

  /// What was found of the echo so far.
  public var status: EchoStatus {
    var status = va_echo_status()
    status.struct_size = UInt32(MemoryLayout<va_echo_status>.size)
    let code = va_echo_state(echo, &status)
    assert(code == VA_OK)
    return EchoStatus(status)
  }

  private func frameCount(of samples: Int, _ channelCount: Int) -> Int {
    precondition(
      1...Int(VA_ECHO_CHANNELS_MAX) ~= channelCount && samples.isMultiple(of: channelCount),
      "\(samples) samples of \(channelCount) channels")
    return samples / channelCount
  }
}

/// The memory of one reference.
///
/// `@unchecked Sendable` is safe because C binds an echo to no thread, and the noncopyable ``EchoReference``, or the
/// batch that it was given to, ensures that one thread at a time uses it.
final class EchoCore: @unchecked Sendable {
  let sampleRate: Int
  /// The echo that C made. It is valid as long as this object lives.
  let echo: OpaquePointer

  init(sampleRate: Int) throws(VoiceActivityError) {
    var made: OpaquePointer?
    let code = va_echo_create(UInt32(clamping: sampleRate), &made)
    guard code == VA_OK, let made else { throw VoiceActivityError(code) }
    echo = made
    self.sampleRate = sampleRate
  }

  deinit { va_echo_destroy(echo) }
}

/// What an ``EchoReference`` has found of the echo.
public struct EchoStatus: Sendable, Hashable {
  /// From the reference to the microphone, 0 … 740 ms, in steps of 20 ms.
  public let delay: Duration
  /// How well both move together at this delay, −1 … 1: with echo above 0.15, without echo below 0.1.
  public let fit: Float
  /// How loud the microphone is over the reference in dB, the mean of the bands learned so far; 0 if there are none.
  public let couplingDB: Float
  /// Samples of the reference that came too late and were left out.
  public let lateSamples: UInt64
}

extension EchoStatus {
  /// Returns the status of a reference that was given earlier than it played.
  package func earlier(by lead: Duration) -> EchoStatus {
    EchoStatus(
      delay: max(.zero, delay - lead), fit: fit, couplingDB: couplingDB, lateSamples: lateSamples)
  }

  init(_ status: va_echo_status) {
    delay = .milliseconds(status.delay_ms)
    fit = status.fit
    couplingDB = status.coupling_db
    lateSamples = status.late_samples
  }
}

// MARK: - Analysis

extension VoiceActivityDetector {
  /// Analyses samples as `process(_:onHop:onEvent:)` does, with the echo of the reference taken out of what is
  /// decided. Once a reference is used, use it for the whole stream, gaps included.
  public mutating func process(
    _ samples: Span<Float>, beside reference: inout EchoReference,
    onHop: (VoiceActivityHop) -> Void = { _ in }, onEvent: (VoiceActivityEvent) -> Void
  ) {
    process(
      samples, by: va_detector_process, beside: reference.echo, wantsHops: true, onHop, onEvent)
  }

  /// Analyses 16-bit samples likewise.
  public mutating func process(
    _ samples: Span<Int16>, beside reference: inout EchoReference,
    onHop: (VoiceActivityHop) -> Void = { _ in }, onEvent: (VoiceActivityEvent) -> Void
  ) {
    process(
      samples, by: va_detector_process_s16, beside: reference.echo, wantsHops: true, onHop, onEvent)
  }

  /// Analyses missing samples as ``pushGap(_:onHop:onEvent:)`` does. Push a long gap in pieces of at most 100 ms, with
  /// the reference of the same time in between.
  public mutating func pushGap(
    _ count: UInt64, beside reference: inout EchoReference,
    onHop: (VoiceActivityHop) -> Void = { _ in }, onEvent: (VoiceActivityEvent) -> Void
  ) {
    pushGap(count, beside: reference.echo, onHop, onEvent)
  }

  /// Ends the stream as ``flush(onHop:onEvent:)`` does.
  public mutating func flush(
    beside reference: inout EchoReference,
    onHop: (VoiceActivityHop) -> Void = { _ in }, onEvent: (VoiceActivityEvent) -> Void
  ) {
    flush(beside: reference.echo, onHop, onEvent)
  }
}
