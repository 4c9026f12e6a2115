public import Logging
public import RealTime
public import SystemPackage

/// PCM without a header from a file descriptor, such as standard input.
///
/// A thread of its own reads ahead into a `SampleRing` of 32,768 frames (fewer with more than 16 channels). When
/// the ring is full, the writer of the pipe waits. Memory is therefore bounded and nothing is lost, however long the
/// stream is.
///
/// Threads: as `PCMSource` requires. `@unchecked Sendable` is safe because only the thread that reads touches
/// ``warnings``; everything else is constant or may be used from any thread.
public final class RawPCMSource: RecordedSource, @unchecked Sendable {
  public let name: String
  /// The format of the bytes.
  public let format: RawPCMFormat
  public private(set) var warnings: [AudioInputWarning] = []
  public var sampleRate: Int { format.sampleRate }
  public var inputChannelCount: Int { format.channelCount }
  public let channelCount: Int
  public var channelsCancel: Bool { signal?.cancels ?? false }
  public var formatName: String { "raw PCM, \(format.sampleFormat)" }
  public var bitsPerSample: Int? { format.sampleFormat.bitsPerSample }
  public var exceedsFloats: Bool { format.sampleFormat.exceedsFloats }
  /// Always `nil`, because a stream does not announce its length.
  public var expectedFrameCount: Int64? { nil }

  /// Returns the most frames to read at once: fewer with many channels, to bound the memory.
  private static func frameCapacity(channelCount: Int) -> Int {
    min(4096, max(64, 65536 / channelCount))
  }
  private static let ringBlockCount = 8

  private let mayBeEmpty: Bool
  /// The capture thread looks at what it decodes.
  private let signal: SignalCheck?
  private let capture: RawCapture
  private let thread: JoinableThread
  private let blocks: BlockReader

  /// Starts to read `descriptor`. The caller keeps it open while this source exists, and closes it afterwards.
  ///
  /// - Throws: ``AudioInputError`` if the format is out of range or lacks the selected channel.
  public convenience init(
    _ descriptor: FileDescriptor, name: String = "standard input", format: RawPCMFormat,
    channels: ChannelSelection = .mix, logger: Logger? = nil
  ) throws(AudioInputError) {
    try self.init(
      try ByteStream(descriptor, name: name), format: format, channels: channels, logger: logger)
  }

  /// Starts to read a stream, including the bytes that were peeked at.
  ///
  /// - Parameter mayBeEmpty: Whether a stream without bytes is valid, rather than the error `empty`.
  package init(
    _ stream: ByteStream, format: RawPCMFormat, channels: ChannelSelection,
    mayBeEmpty: Bool = true, logger: Logger? = nil
  ) throws(AudioInputError) {
    let name = stream.name
    self.mayBeEmpty = mayBeEmpty
    try format.check(name)
    try channels.check(name, channelCount: format.channelCount)
    self.name = name
    self.format = format
    let conversion = ChannelConversion(selection: channels, inputCount: format.channelCount)
    channelCount = conversion.outputCount
    signal = SignalCheck(
      channels, channelCount: format.channelCount, sampleRate: format.sampleRate,
      hasFloats: format.sampleFormat.bitsPerSample == nil)
    let frameCapacity = Self.frameCapacity(channelCount: format.channelCount)
    do {
      let (readerWake, writerWake) = (try WakeEvent(), try WakeEvent())
      let ring = SampleRing(
        capacity: Self.ringBlockCount * frameCapacity * conversion.outputCount,
        wakeReader: readerWake.signal, wakeWriter: writerWake.signal)
      let converter = RawConverter(format, conversion, signal, frameCapacity: frameCapacity)
      let capture = RawCapture(stream, converter, ring.writer, wake: writerWake)
      thread = try JoinableThread(running: capture.run)
      self.capture = capture
      blocks = BlockReader(ring.reader, wake: readerWake, channelCount: conversion.outputCount)
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
    switch blocks.read(into: &block) {
    case .block, .interrupted: return true
    case .stopped, .abandoned:
      // The capture thread may still be looking.
      warnings.add(signal?.faults ?? [])
      return false
    case .endOfStream:
      try finish()
      return false
    }
  }

  public func stop() {
    capture.stop()
    blocks.stop()
  }

  private func finish() throws(AudioInputError) {
    warnings.addFaults(of: signal)
    if capture.leftoverByteCount > 0 {
      warnings.append(.tornFrame(bytes: capture.leftoverByteCount))
    }
    if let errno = capture.failure { throw .readFailed(name: name, errno) }
    if capture.isEmpty, !mayBeEmpty { throw .empty(name: name) }
  }
}
