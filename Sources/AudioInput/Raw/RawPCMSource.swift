public import Logging
internal import Synchronization
public import SystemPackage
public import VoiceActivity

/// PCM without a header from a file descriptor, e.g. standard input.
///
/// Threads: as ``VoiceActivity/PCMSource`` says.
public final class RawPCMSource: RecordedSource, @unchecked Sendable {
  public let name: String
  public let format: RawPCMFormat
  public private(set) var warnings: [AudioInputWarning] = []
  public var sampleRate: Int { format.sampleRate }
  public var inputChannelCount: Int { format.channelCount }
  public var channelCount: Int { conversion.outputCount }
  public var formatName: String { "raw, \(format.sampleFormat)" }
  /// A stream tells nobody how long it is.
  public var expectedFrameCount: Int64? { nil }

  private static let frameCapacity = 4096

  private let descriptor: FileDescriptor
  private let conversion: ChannelConversion
  private let decoder: SampleDecoder
  /// Bytes read; the first `pending` of them are the start of a frame whose rest has not come.
  private var bytes: [UInt8]
  private var pending = 0
  private var interleaved: [Float]
  private let stopped = Atomic(false)

  /// Reads `descriptor`, which stays the caller's to close.
  public init(
    _ descriptor: FileDescriptor, name: String = "standard input", format: RawPCMFormat,
    channels: ChannelSelection = .mix, logger: Logger? = nil
  ) throws(AudioInputError) {
    guard supportedSampleRates ~= format.sampleRate else {
      throw .sampleRate(name: name, format.sampleRate)
    }
    guard 1...1024 ~= format.channelCount else {
      throw .channelCount(name: name, format.channelCount)
    }
    if case .channel(let number) = channels, !channels.fits(format.channelCount) {
      throw .noSuchChannel(name: name, number, channelCount: format.channelCount)
    }
    self.descriptor = descriptor
    self.name = name
    self.format = format
    conversion = ChannelConversion(selection: channels, inputCount: format.channelCount)
    decoder = SampleDecoder(format: format.sampleFormat)
    bytes = Array(repeating: 0, count: Self.frameCapacity * format.frameByteCount)
    interleaved = Array(repeating: 0, count: Self.frameCapacity * format.channelCount)
  }

  public func read(into block: inout PCMBlock) throws -> Bool {
    block.missingFrames = 0
    block.frameCount = 0
    while !stopped.load(ordering: .relaxed) {
      let byteLimit = min(block.capacity, Self.frameCapacity) * format.frameByteCount
      guard try readBytes(upTo: byteLimit) else {
        finish()
        break
      }
      convert(into: &block)
      if block.frameCount > 0 { return true }
    }
    return false
  }

  public func stop() { stopped.store(true, ordering: .relaxed) }

  /// Adds what comes to the pending bytes; `false` at the end of the stream.
  private func readBytes(upTo limit: Int) throws(AudioInputError) -> Bool {
    do {
      let count = try catching {
        try bytes.withUnsafeMutableBytes {
          try descriptor.read(into: UnsafeMutableRawBufferPointer(rebasing: $0[pending..<limit]))
        }
      }
      pending += count
      return count > 0
    } catch {
      throw .readFailed(name: name, error)
    }
  }

  /// Whole frames go to the block, the rest back to the front.
  private func convert(into block: inout PCMBlock) {
    let frameCount = pending / format.frameByteCount
    var samples = interleaved.mutableSpan
    decoder.decode(bytes.span.bytes, count: frameCount * format.channelCount, into: &samples)
    conversion.convert(interleaved.span, frameCount: frameCount, into: &block)
    let used = frameCount * format.frameByteCount
    for index in used..<pending { bytes[index - used] = bytes[index] }
    pending -= used
  }

  private func finish() {
    stop()
    if pending > 0 { warnings.append(.tornFrame(bytes: pending)) }
  }
}
