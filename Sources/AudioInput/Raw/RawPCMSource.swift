public import Logging
internal import Synchronization
public import SystemPackage
public import VoiceActivity

/// PCM without a header from a file descriptor, e.g. standard input.
///
/// A thread of its own reads ahead into a ``VoiceActivity/SampleRing`` of 32,768 frames (fewer with
/// more than 16 channels); when that is full the writer of the pipe waits, so memory is bounded and
/// nothing is lost, however long the stream is.
///
/// Threads: as ``VoiceActivity/PCMSource`` says.
public final class RawPCMSource: RecordedSource, @unchecked Sendable {
  public let name: String
  public let format: RawPCMFormat
  public private(set) var warnings: [AudioInputWarning] = []
  public var sampleRate: Int { format.sampleRate }
  public var inputChannelCount: Int { format.channelCount }
  public var channelCount: Int { split.outputCount }
  public var formatName: String { "raw PCM, \(format.sampleFormat)" }
  /// A stream tells nobody how long it is.
  public var expectedFrameCount: Int64? { nil }

  /// Frames that are read at once at most: with many channels fewer, to bound the memory.
  private static func frameCapacity(channelCount: Int) -> Int {
    min(4096, max(64, 65536 / channelCount))
  }
  private static let ringBlockCount = 8

  private let capture: RawCapture
  private let thread: JoinableThread
  private var reader: SampleRing.Reader
  /// Signalled by the ring's writer when there is something to read.
  private let wake: WakeEvent
  private let stopped = Atomic(false)
  /// The ring's samples are interleaved.
  private let split: ChannelConversion

  /// Starts to read `descriptor`, which stays the caller's to close, after this source is gone.
  public init(
    _ descriptor: FileDescriptor, name: String = "standard input", format: RawPCMFormat,
    channels: ChannelSelection = .mix, logger: Logger? = nil
  ) throws(AudioInputError) {
    try format.check(name)
    try channels.check(name, channelCount: format.channelCount)
    self.name = name
    self.format = format
    let conversion = ChannelConversion(selection: channels, inputCount: format.channelCount)
    split = ChannelConversion(selection: .each, inputCount: conversion.outputCount)
    let frameCapacity = Self.frameCapacity(channelCount: format.channelCount)
    do {
      let (readerWake, writerWake) = (try WakeEvent(), try WakeEvent())
      let ring = SampleRing(
        capacity: Self.ringBlockCount * frameCapacity * conversion.outputCount,
        wakeReader: readerWake.signal, wakeWriter: writerWake.signal)
      let converter = RawConverter(format, conversion, frameCapacity: frameCapacity)
      let capture = RawCapture(descriptor, converter, ring.writer, wake: writerWake)
      thread = try JoinableThread(capture.run)
      self.capture = capture
      reader = ring.reader
      wake = readerWake
    } catch {
      throw .readFailed(name: name, error)
    }
    logger?.debug("reading \(name): \(format.sampleFormat), \(format.sampleRate) Hz")
  }

  deinit {
    stop()
    thread.join()
  }

  public func read(into block: inout PCMBlock) throws -> Bool {
    block.frameCount = 0
    block.missingFrames = 0
    while !stopped.load(ordering: .relaxed) {
      let outcome = reader.read(upTo: block.capacity * channelCount) { region in
        split.append(region, to: &block)
      }
      switch outcome {
      case .samples: return true
      case .gap(let missing):
        block.missingFrames = missing / UInt64(channelCount)
        return true
      case .empty: if reader.prepareToSleep() { wake.wait() }
      case .endOfStream:
        try finish()
        return false
      }
    }
    return false
  }

  public func stop() {
    stopped.store(true, ordering: .relaxed)
    capture.stop()
    wake.signal()
  }

  private func finish() throws(AudioInputError) {
    guard !stopped.exchange(true, ordering: .relaxed) else { return }
    if capture.leftoverByteCount > 0 {
      warnings.append(.tornFrame(bytes: capture.leftoverByteCount))
    }
    if let errno = capture.failure { throw .readFailed(name: name, errno) }
  }
}
