internal import Glibc
public import Logging
public import RealTime
internal import Synchronization

/// A source of samples from an ALSA capture device: a sound card, a sound server or a plugin.
///
/// A dedicated thread fetches what the device delivers, batch by batch, into a `SampleRing` of at least one second,
/// from which `read` takes it. Frames may be lost through an overrun, a sleeping computer, a cable that is pulled or a
/// slow reader. `read` reports them as missing frames, at their position and with their length. Captured and missing
/// frames together are what the device made, so positions stay true to time for as long as capture runs.
///
/// If the device disappears, the source waits for it, unless ``Configuration/waitsForDevice`` is false. What then comes
/// is marked as that of another device (`PCMBlock.isOtherDevice`), unless the source can tell that the same microphone
/// is behind the name: the same device of the same card at the same port, or the source that `pulse:DEVICE=` names.
///
/// Threads: the rules of `PCMSource` apply; ``status`` may be read on any thread.
public final class ALSASource: PCMSource {
  /// The parameters to request from a device.
  ///
  /// The device decides: ``ALSASource/sampleRate`` and the other properties return what it agreed to.
  public struct Configuration: Sendable, Hashable {
    /// The sample rate to request in Hz; the device's nearest rate in 8000...192000 is used.
    public var sampleRate = 48_000
    /// The channels that go to detectors.
    public var channels = ChannelSelection.mix
    /// The number of channels to request; nil for as few as `channels` needs.
    public var channelCount: Int?
    /// The format to request; nil for the first of ``CaptureFormat``'s cases that the device supports.
    public var sampleFormat: CaptureFormat?
    /// The device's own step, by which it counts and interrupts.
    public var period = Duration.milliseconds(10)
    /// How often the device wakes the capture thread, which passes the sound on at once: whole periods, at least one.
    ///
    /// A larger batch costs less, because waking two threads costs more than analysing 10 ms of sound. It delays
    /// results by at most this less one period.
    public var batch = Duration.milliseconds(20)
    /// How long the capture thread may be kept from running before frames are lost.
    public var buffer = Duration.milliseconds(200)
    /// The priority under the real-time scheduler (SCHED_FIFO), 1...99, used if the process is permitted; nil for the
    /// ordinary scheduler.
    ///
    /// 10 is above ordinary work and below the kernel's threads.
    public var realTimePriority: Int? = 10
    /// Whether to wait for a device that disappears; otherwise `read` throws an error.
    public var waitsForDevice = true

    /// Creates a configuration with the default values.
    public init() {}
  }

  /// The name under which the device was requested.
  public let name: String
  /// The number of channels that `read` delivers, after mixing or selection.
  public let channelCount: Int
  /// The sample rate that the device agreed to, in Hz.
  public var sampleRate: Int { parameters.sampleRate }
  /// The number of the device's channels, before mixing or selection.
  public var inputChannelCount: Int { parameters.channelCount }
  /// The format in which the device stores samples.
  public var sampleFormat: CaptureFormat { parameters.sampleFormat }
  /// The number of frames by which the device counts.
  public var periodFrames: Int { parameters.periodFrames }
  /// The size of the device's buffer in frames.
  public var bufferFrames: Int { parameters.bufferFrames }
  public var channelsCancel: Bool { signal?.cancels ?? false }
  public var startTime: Int64? { capture.status.startTime.value }
  /// What is wrong with the sound so far. Any thread may ask.
  package var faults: [SignalCheck.Fault] { signal?.faults ?? [] }
  public var overruns: UInt64 {
    capture.status.count(of: .overrun) + capture.status.count(of: .slowReader)
  }
  /// The present status of the capture. Any thread may read it.
  public var status: CaptureStatus { capture.status.snapshot }

  /// Whether it was found to be a device of a sound card when it was first opened.
  package let isSoundCard: Bool

  private let parameters: NegotiatedParameters
  private let signal: SignalCheck?
  private let capture: CaptureThread
  private let thread: JoinableThread
  private let blocks: BlockReader
  /// Whether the capture thread hangs. Relaxed: the flag carries no other data, and only sets the patience of `deinit`.
  private let isAbandoned = Atomic(false)

  /// Opens a device and starts to capture.
  ///
  /// Do not call this on a thread that must not wait. A sound card opens within milliseconds, and a sound server that
  /// has to be started takes a second. One that hangs blocks libasound for up to 30 s, and nothing can interrupt it;
  /// ``open(_:configuration:timeLimit:logger:)`` limits the wait. Throws a ``CaptureError`` if the device cannot be
  /// opened.
  public init(
    _ name: String = "default", configuration: Configuration = .init(), logger: Logger? = nil
  ) throws(CaptureError) {
    let pcm = try CapturePCM.opened(name, RequestedParameters(configuration))
    let parameters = pcm.parameters
    let conversion = try ChannelConversion(configuration.channels, name, parameters)
    self.name = name
    self.parameters = parameters
    isSoundCard = if case .card = pcm.microphone { true } else { false }
    channelCount = conversion.outputCount
    signal = SignalCheck(
      configuration.channels, channelCount: parameters.channelCount,
      sampleRate: parameters.sampleRate, hasFloats: parameters.sampleFormat == .float32)
    do {
      let readerWake = Wakeup()
      let frames = max(parameters.sampleRate, 2 * parameters.bufferFrames)
      let ring = SampleRing(
        capacity: frames * conversion.outputCount, wakeReader: { readerWake.signal() })
      let clock = try Self.start(pcm, name)
      blocks = BlockReader(ring.reader, wake: readerWake, channelCount: conversion.outputCount)
      capture = CaptureThread(
        name, pcm, clock, ring.writer, conversion, signal,
        reopenRequest: configuration.waitsForDevice
          ? RequestedParameters(configuration, parameters) : nil,
        realTimePriority: configuration.realTimePriority, wake: try WakeEvent(),
        reader: blocks)
      thread = try JoinableThread(capture.run)
    } catch let error as CaptureError {
      throw error
    } catch {
      throw .failed(name: name, reason: "\(error)")
    }
    logger?.debug("capturing from \(name): \(parameters)")
  }

  /// Opens a device and starts to capture as ``init(_:configuration:logger:)`` does, but waits `timeLimit` at most.
  ///
  /// Throws ``CaptureError/failed(name:reason:)`` if the device has not answered by then. The thread that waits for the
  /// device closes it as soon as it does answer.
  public static func open(
    _ name: String = "default", configuration: Configuration = .init(),
    timeLimit: Duration = CaptureDevice.timeLimit, logger: Logger? = nil
  ) throws(CaptureError) -> ALSASource {
    let answer = withinTime(timeLimit) { () -> Result<ALSASource, CaptureError> in
      Result { () throws(CaptureError) in
        try ALSASource(name, configuration: configuration, logger: logger)
      }
    }
    guard let answer else { throw .noAnswer(name: name, within: timeLimit) }
    return try answer.get()
  }

  private static func start(_ pcm: CapturePCM, _ name: String) throws(CaptureError) -> DeviceClock {
    let before = monotonicTime()
    let code = ALSAMessages.collected { _ in pcm.restart() }
    guard code >= 0 else { throw CaptureError(opening: name, code: code, detail: nil) }
    return DeviceClock(
      sampleRate: pcm.parameters.sampleRate, start: before...monotonicTime(),
      periodFrames: pcm.parameters.periodFrames, bufferFrames: pcm.parameters.bufferFrames)
  }

  /// Closes the device. A capture thread that hangs in libasound is detached: it owns everything that it uses, and
  /// closes the device when libasound returns.
  deinit {
    stop()
    let patience = isAbandoned.load(ordering: .relaxed) ? .zero : Self.patience
    if capture.waitForEnd(atMost: patience) { thread.join() } else { thread.detach() }
  }

  public func read(into block: inout PCMBlock) throws -> Bool {
    switch blocks.read(into: &block) {
    case .block: return true
    case .interrupted:
      block.isInterrupted = true
      return true
    case .stopped: return false
    case .endOfStream:
      if let failure = capture.failure { throw failure }
      return false
    case .abandoned:
      isAbandoned.store(true, ordering: .relaxed)
      block.missingFrames = capture.missedFrames
      return block.missingFrames > 0
    }
  }

  /// How long a stopped capture thread may take to end.
  private static let patience = Duration.milliseconds(250)

  /// Ends the capture. Any thread may call it.
  ///
  /// The remaining frames can still be read, and frames missed until now are reported as missing. `read` returns false
  /// after at most a quarter of a second, even if libasound hangs, as an unresponsive sound server can make it do for
  /// up to 30 s. The device is then closed as soon as libasound returns. Until it does, a device that only one program
  /// can open stays busy.
  public func stop() {
    capture.stop()
    blocks.expectEnd(within: Self.patience)
  }
}

extension ALSASource {
  /// The handle of the capture thread, for tests that watch it.
  var captureThread: pthread_t { thread.handle }
}

extension RequestedParameters {
  init(_ configuration: ALSASource.Configuration) {
    self.init(
      sampleRate: configuration.sampleRate,
      channelCount: configuration.channelCount ?? configuration.channels.neededChannelCount,
      sampleFormat: configuration.sampleFormat, period: configuration.period,
      batch: configuration.batch, buffer: configuration.buffer)
  }

  /// Creates a request to continue with the rate and the channels that were negotiated before.
  fileprivate init(_ configuration: ALSASource.Configuration, _ parameters: NegotiatedParameters) {
    self.init(configuration)
    sampleRate = parameters.sampleRate
    channelCount = parameters.channelCount
    isExact = true
  }
}

extension ChannelSelection {
  fileprivate var neededChannelCount: Int {
    switch self {
    case .channel(let number): number
    case .any: 2
    case .mix, .each: 1
    }
  }
}

extension ChannelConversion {
  fileprivate init(
    _ selection: ChannelSelection, _ name: String, _ parameters: NegotiatedParameters
  ) throws(CaptureError) {
    if case .channel(let number) = selection, !(1...parameters.channelCount ~= number) {
      throw .noSuchChannel(name: name, number, channelCount: parameters.channelCount)
    }
    self.init(selection: selection, inputCount: parameters.channelCount)
  }
}

extension NegotiatedParameters: CustomStringConvertible {
  var description: String {
    """
    \(sampleFormat), \(channelCount.inChannels), \(sampleRate) Hz, \
    period \(periodFrames) frames, batch \(batchFrames), buffer \(bufferFrames)
    """
  }
}
