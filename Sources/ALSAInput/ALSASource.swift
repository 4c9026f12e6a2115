public import AudioInput
internal import Glibc
public import Logging
internal import Synchronization
public import VoiceActivity

/// A microphone, or whatever else ALSA captures from: a sound card, a sound server, a plugin.
///
/// A thread of its own fetches what the device gives, period by period, into a
/// `SampleRing` of a second, from which `read` takes it. What is lost on the way, by an
/// overrun, a sleeping computer, a cable that is pulled or a reader that is late, comes out of `read` as
/// missing frames, at its place and with its length: frames captured and frames missing are together
/// what the device made, so that positions stay true to time for as long as capture runs.
///
/// A device that is gone is waited for, unless ``Configuration/waitsForDevice`` is off.
///
/// Threads: as `PCMSource` says; ``status`` may be asked for on any.
public final class ALSASource: PCMSource, @unchecked Sendable {
  /// How to capture. The device has the last word: ``ALSASource/sampleRate`` and the others tell what it
  /// agreed to.
  public struct Configuration: Sendable, Hashable {
    /// The rate to ask for in Hz; the nearest that the device has, 8000 … 192000, is taken.
    public var sampleRate = 48_000
    /// Which channels go to detectors.
    public var channels = ChannelSelection.mix
    /// Channels to ask for; `nil`: as few as `channels` needs.
    public var channelCount: Int?
    /// The format to ask for; `nil`: the first of ``CaptureFormat``'s that the device has.
    public var sampleFormat: CaptureFormat?
    /// How often the device wakes the capture thread.
    public var period = Duration.milliseconds(10)
    /// What the reader gets at once, in whole periods: it wakes up so often. More costs less and tells
    /// later, by this less a period at most.
    public var batch = Duration.milliseconds(20)
    /// How long the capture thread may be kept from running before frames are lost.
    public var buffer = Duration.milliseconds(200)
    /// The priority under the real-time scheduler (SCHED_FIFO), 1 … 99, if the process may have it;
    /// `nil`: the ordinary scheduler. 10 is above ordinary work and below the kernel's threads.
    public var realTimePriority: Int? = 10
    /// Whether a device that is gone is waited for; otherwise its end is an error of `read`.
    public var waitsForDevice = true

    /// The defaults.
    public init() {}
  }

  /// The device as it was asked for.
  public let name: String
  public let channelCount: Int
  public var sampleRate: Int { agreement.sampleRate }
  /// Channels of the device, before any mixing or picking.
  public var inputChannelCount: Int { agreement.channelCount }
  /// How the device stores samples.
  public var sampleFormat: CaptureFormat { agreement.sampleFormat }
  /// Frames after which the capture thread is woken.
  public var periodFrames: Int { agreement.periodFrames }
  /// Frames that the device keeps.
  public var bufferFrames: Int { agreement.bufferFrames }
  /// How the capture goes.
  public var status: CaptureStatus { capture.board.status }

  private let agreement: Agreement
  private let capture: CaptureThread
  private let thread: JoinableThread
  private let blocks: BlockReader
  /// The capture thread hangs.
  private let isAbandoned = Atomic(false)
  /// Of the device's buffer, as far as the reader was told. Belongs to the thread that reads.
  private var toldOverruns: UInt64 = 0

  /// Opens a device and starts to capture.
  ///
  /// Not on a thread that must not wait: a sound card is open within milliseconds, a sound server that has to be started
  /// takes a second, and one that hangs keeps libasound for up to 30 s, which nobody can cut short.
  /// ``open(_:configuration:timeLimit:logger:)`` waits for less.
  public init(
    _ name: String = "default", configuration: Configuration = .init(), logger: Logger? = nil
  ) throws(CaptureError) {
    let pcm = try CapturePCM(name, Wish(configuration))
    let agreement = pcm.agreement
    let conversion = try ChannelConversion(configuration.channels, name, agreement)
    self.name = name
    self.agreement = agreement
    channelCount = conversion.outputCount
    do {
      let (readerWake, captureWake) = (try WakeEvent(), try WakeEvent())
      let frames = max(agreement.sampleRate, 2 * agreement.bufferFrames)
      let bell = ReaderBell(
        readerWake,
        batchFrames: Int(configuration.batch / .seconds(1) * Double(agreement.sampleRate)),
        periodFrames: agreement.periodFrames)
      let ring = SampleRing(capacity: frames * conversion.outputCount, wakeReader: bell.want)
      let clock = try Self.start(pcm, name)
      capture = CaptureThread(
        name, pcm, clock, ring.writer, conversion,
        reopenWish: configuration.waitsForDevice ? Wish(configuration, agreement) : nil,
        realTimePriority: configuration.realTimePriority, wake: captureWake, bell: bell,
        ended: try WakeEvent())
      blocks = BlockReader(ring.reader, wake: readerWake, channelCount: conversion.outputCount)
      thread = try JoinableThread(running: capture.run)
    } catch let error as CaptureError {
      throw error
    } catch {
      throw .failed(name: name, reason: "\(error)")
    }
    logger?.debug("capturing from \(name): \(agreement)")
  }

  /// Opens a device and starts to capture, as ``init(_:configuration:logger:)`` does, and waits `timeLimit` for it at most.
  ///
  /// Throws ``CaptureError/failed(name:reason:)`` if the device has not answered by then. The thread that waits for it
  /// closes the device as soon as it does answer.
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
    let code = pcm.restart()
    guard code >= 0 else { throw CaptureError(opening: name, code: code, detail: nil) }
    return DeviceClock(
      sampleRate: pcm.agreement.sampleRate, start: before...monotonicTime(),
      periodFrames: pcm.agreement.periodFrames, bufferFrames: pcm.agreement.bufferFrames)
  }

  /// Closes the device. A capture thread that hangs in libasound is left to itself: it owns all that it touches, and
  /// closes the device when libasound lets it go.
  deinit {
    stop()
    let patience = isAbandoned.load(ordering: .relaxed) ? .zero : Self.patience
    if capture.waitForEnd(atMost: patience) { thread.join() } else { thread.detach() }
  }

  public func read(into block: inout PCMBlock) throws -> Bool {
    let outcome = blocks.read(into: &block)
    let overruns = capture.board.count(of: .overrun)
    block.overruns += overruns - toldOverruns
    toldOverruns = overruns
    switch outcome {
    case .block: return true
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

  /// How long a capture thread that was stopped may take to end.
  private static let patience = Duration.milliseconds(250)

  /// Ends capture. What was captured until then can still be read, and what was missed until then is reported as
  /// missing frames. After at most a quarter of a second `read` returns `false`, even if libasound hangs: a sound server
  /// that does not answer keeps it for up to 30 s. The device is then closed as soon as libasound returns, and until
  /// then one that only a single program can open is busy.
  public func stop() {
    capture.stop()
    blocks.expectEnd(within: Self.patience)
  }
}

extension ALSASource {
  /// For tests that watch it.
  var captureThread: pthread_t { thread.handle }
}

extension Wish {
  init(_ configuration: ALSASource.Configuration) {
    self.init(
      sampleRate: configuration.sampleRate,
      channelCount: configuration.channelCount ?? configuration.channels.neededChannelCount,
      sampleFormat: configuration.sampleFormat, period: configuration.period,
      buffer: configuration.buffer)
  }

  /// What goes on as it began.
  fileprivate init(_ configuration: ALSASource.Configuration, _ agreement: Agreement) {
    self.init(configuration)
    sampleRate = agreement.sampleRate
    channelCount = agreement.channelCount
    isExact = true
  }
}

extension ChannelSelection {
  fileprivate var neededChannelCount: Int {
    guard case .channel(let number) = self else { return 1 }
    return number
  }
}

extension ChannelConversion {
  fileprivate init(
    _ selection: ChannelSelection, _ name: String, _ agreement: Agreement
  ) throws(CaptureError) {
    if case .channel(let number) = selection, !(1...agreement.channelCount ~= number) {
      throw .noSuchChannel(name: name, number, channelCount: agreement.channelCount)
    }
    self.init(selection: selection, inputCount: agreement.channelCount)
  }
}

extension Agreement: CustomStringConvertible {
  var description: String {
    """
    \(sampleFormat), \(channelCount) channels, \(sampleRate) Hz, \
    period \(periodFrames) frames, buffer \(bufferFrames)
    """
  }
}
