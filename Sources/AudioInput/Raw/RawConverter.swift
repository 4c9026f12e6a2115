internal import RealTime
internal import SystemPackage

/// A converter from bytes to mixed, selected or whole frames. It keeps the start of a frame until the rest has arrived.
struct RawConverter: ~Copyable {
  /// The number of bytes that are not converted yet.
  private(set) var pendingByteCount = 0

  private let format: RawPCMFormat
  private let conversion: ChannelConversion
  private let signal: SignalCheck?
  /// The bytes read. The buffers are freed in `deinit`. Others get spans and slices of them for the length of a call.
  private let bytes: UnsafeMutableRawBufferPointer
  /// The frames as stored, and as they go to the ring. Freed like `bytes`.
  private let decoded: UnsafeMutableBufferPointer<Float>
  private let converted: UnsafeMutableBufferPointer<Float>

  /// Allocates the buffers for `frameCapacity` frames at once. They live as long as the converter.
  init(
    _ format: RawPCMFormat, _ conversion: ChannelConversion, _ signal: SignalCheck?,
    frameCapacity: Int
  ) {
    self.format = format
    self.conversion = conversion
    self.signal = signal
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

  /// Reads what has arrived, as far as there is room. Returns the number of bytes, 0 at the end of the stream.
  mutating func read(from input: ByteStream) throws(Errno) -> Int {
    let room = UnsafeMutableRawBufferPointer(rebasing: bytes[pendingByteCount...])
    let count = try input.readNow(into: room)
    pendingByteCount += count
    return count
  }

  /// Passes the samples of all whole frames to `body`. Returns `nil` if there are none.
  mutating func takeFrames<Result>(_ body: (Span<Float>) -> Result) -> Result? {
    let frameCount = pendingByteCount / format.frameByteCount
    guard frameCount > 0 else { return nil }
    let stored = frameCount * format.channelCount
    var samples = decoded.mutableSpan
    format.sampleFormat.decode(bytes.bytes, count: stored, into: &samples)
    signal?.look(decoded.span.extracting(0..<stored))
    let count = conversion.reduce(decoded.span.extracting(0..<stored), into: converted)
    keep(from: frameCount * format.frameByteCount)
    return body(converted.span.extracting(0..<count))
  }

  /// Moves the remaining bytes to the front.
  private mutating func keep(from used: Int) {
    for index in used..<pendingByteCount { bytes[index - used] = bytes[index] }
    pendingByteCount -= used
  }
}
