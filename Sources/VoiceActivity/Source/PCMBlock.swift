/// A stretch of PCM, each channel by itself: what a ``PCMSource`` fills and a detector reads.
///
/// The memory is allocated once, when the block is made.
public struct PCMBlock: ~Copyable, Sendable {
  /// Channels, each of which goes to a detector of its own.
  public let channelCount: Int
  /// Most frames that fit.
  public let capacity: Int
  /// Frames that the block holds, 0 … `capacity`.
  public var frameCount = 0 {
    didSet { precondition(0...capacity ~= frameCount, "a block of \(capacity) frames at most") }
  }
  /// Frames that were lost just before this block, to be given to `pushGap`: an overrun of a live
  /// source. A file or a pipe loses none.
  public var missingFrames: UInt64 = 0
  /// Times since the last block that a live source lost frames because its reader, or its capture, was late. A gap that
  /// has other reasons, say packets that did not come, is none.
  public var overruns: UInt64 = 0

  /// Channel after channel, `capacity` samples each.
  @usableFromInline var samples: [Float]

  /// 4096 frames: 256 ms at 16 kHz and 16 KiB a channel, so that a block stays in the cache.
  public init(channelCount: Int, capacity: Int = 4096) {
    precondition(channelCount > 0 && capacity > 0)
    self.channelCount = channelCount
    self.capacity = capacity
    samples = Array(repeating: 0, count: channelCount * capacity)
  }

  /// The samples of one channel (from 0), full scale ±1.
  @inlinable
  public borrowing func withSamples<Result, Failure: Error>(
    ofChannel channel: Int, _ body: (Span<Float>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let start = start(ofChannel: channel)
    return try body(samples.span.extracting(start..<start + frameCount))
  }

  /// Room for `capacity` samples of one channel (from 0). Set ``frameCount`` when all are written.
  @inlinable
  public mutating func withRoom<Result, Failure: Error>(
    ofChannel channel: Int, _ body: (UnsafeMutableBufferPointer<Float>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let room = start(ofChannel: channel)..<start(ofChannel: channel) + capacity
    return try samples.withUnsafeMutableBufferPointer { all throws(Failure) in
      try body(UnsafeMutableBufferPointer(rebasing: all[room]))
    }
  }

  @usableFromInline
  func start(ofChannel channel: Int) -> Int {
    precondition(0..<channelCount ~= channel, "no channel \(channel) in a block of \(channelCount)")
    return channel * capacity
  }
}
