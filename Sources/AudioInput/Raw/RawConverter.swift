internal import SystemPackage

/// Bytes in, what the detectors hear out. Keeps the start of a frame until the rest has come.
struct RawConverter: ~Copyable {
  /// Bytes that are no whole frame yet.
  private(set) var pendingByteCount = 0

  private let format: RawPCMFormat
  private let conversion: ChannelConversion
  /// What was read.
  private let bytes: UnsafeMutableRawBufferPointer
  /// The samples as stored, and as they go to the detectors; both interleaved.
  private let decoded: UnsafeMutableBufferPointer<Float>
  private let converted: UnsafeMutableBufferPointer<Float>

  /// Allocates what is needed for `frameCapacity` frames at once.
  init(_ format: RawPCMFormat, _ conversion: ChannelConversion, frameCapacity: Int) {
    self.format = format
    self.conversion = conversion
    bytes = .allocate(byteCount: frameCapacity * format.frameByteCount, alignment: 64)
    bytes.initializeMemory(as: UInt8.self, repeating: 0)
    decoded = .allocate(capacity: frameCapacity * format.channelCount)
    decoded.initialize(repeating: 0)
    converted = .allocate(capacity: frameCapacity * conversion.outputCount)
    converted.initialize(repeating: 0)
  }

  deinit {
    bytes.deallocate()
    decoded.deallocate()
    converted.deallocate()
  }

  /// Reads what has come, as far as there is room; 0 at the end of the stream.
  mutating func read(from input: ByteStream) throws(Errno) -> Int {
    let room = UnsafeMutableRawBufferPointer(rebasing: bytes[pendingByteCount...])
    let count = try input.readNow(into: room)
    pendingByteCount += count
    return count
  }

  /// Hands over the samples of all whole frames, if there are any.
  mutating func takeFrames<Result>(_ body: (Span<Float>) -> Result) -> Result? {
    let frameCount = pendingByteCount / format.frameByteCount
    guard frameCount > 0 else { return nil }
    let stored = frameCount * format.channelCount
    var samples = decoded.mutableSpan
    format.sampleFormat.decode(bytes.bytes, count: stored, into: &samples)
    let count = conversion.interleave(decoded.span.extracting(0..<stored), into: converted)
    keep(from: frameCount * format.frameByteCount)
    return body(converted.span.extracting(0..<count))
  }

  /// Moves the rest to the front.
  private mutating func keep(from used: Int) {
    for index in used..<pendingByteCount { bytes[index - used] = bytes[index] }
    pendingByteCount -= used
  }
}
