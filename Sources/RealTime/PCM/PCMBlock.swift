/// A block of PCM with separate channels, which a ``PCMSource`` fills and a detector reads.
///
/// It allocates its memory once, when it is made.
public struct PCMBlock: ~Copyable, Sendable {
  /// The number of channels, each of which goes to its own detector.
  public let channelCount: Int
  /// The number of frames that fit.
  public let capacity: Int
  /// The number of frames in the block, 0 … `capacity`.
  public var frameCount = 0 {
    didSet { precondition(0...capacity ~= frameCount, "a block of \(capacity) frames at most") }
  }
  /// The number of frames that a live source lost just before this block, to be passed to `pushGap`. A file or a pipe
  /// loses none.
  public var missingFrames: UInt64 = 0
  /// Whether the source knows that nothing will come for now, because its device is gone. Such a block may be empty.
  /// The next block with frames ends the interruption.
  public var isInterrupted = false
  /// Whether this block and those after it come from another device than before, or from one that the source cannot
  /// tell to be the same, as after a cable was pulled and a device was opened again under the same name. What was
  /// learned of a user at the microphone no longer holds. It begins the block, in front of the missing frames.
  public var isOtherDevice = false

  /// What the reader waits for, which sources that capture heed and others ignore.
  package var wanted = Wanted()

  /// How much a reader waits for. A thread that is woken less often costs less.
  package struct Wanted: Sendable, Equatable {
    /// The least number of frames in the next block, unless nothing follows them for now.
    package var frameCount = 1
    /// The peak from which on a sound is to come at once.
    package var urgentPeak = Float.infinity

    package init(frameCount: Int = 1, urgentPeak: Float = .infinity) {
      (self.frameCount, self.urgentPeak) = (frameCount, urgentPeak)
    }
  }

  /// The channels one after the other, `capacity` samples each.
  @usableFromInline var samples: [Float]

  /// Creates an empty block. The default of 4096 frames is 256 ms at 16 kHz and 16 KiB a channel, which stays in the
  /// cache.
  public init(channelCount: Int, capacity: Int = 4096) {
    precondition(channelCount > 0 && capacity > 0)
    self.channelCount = channelCount
    self.capacity = capacity
    samples = Array(repeating: 0, count: channelCount * capacity)
  }

  /// Becomes empty, as sources begin to fill it.
  package mutating func clear() {
    (frameCount, missingFrames, isInterrupted, isOtherDevice) = (0, 0, false, false)
  }

  /// Calls `body` with the samples of one channel (from 0), full scale ±1.
  @inlinable
  public borrowing func withSamples<Result, Failure: Error>(
    ofChannel channel: Int, _ body: (Span<Float>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let start = start(ofChannel: channel)
    return try body(samples.span.extracting(start..<start + frameCount))
  }

  /// Calls `body` with room for `capacity` samples of one channel (from 0). Set ``frameCount`` when all channels are
  /// written.
  @inlinable
  public mutating func withRoom<Result, Failure: Error>(
    ofChannel channel: Int, _ body: (UnsafeMutableBufferPointer<Float>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let room = start(ofChannel: channel)..<start(ofChannel: channel) + capacity
    return try samples.withUnsafeMutableBufferPointer { all throws(Failure) in
      try body(UnsafeMutableBufferPointer(rebasing: all[room]))
    }
  }

  /// The largest magnitude of a sample.
  package borrowing func peak() -> Float {
    var peak: Float = 0
    for channel in 0..<channelCount {
      withSamples(ofChannel: channel) { peak = max(peak, $0.peak) }
    }
    return peak
  }

  /// Becomes what the first channel of another block delivers.
  package mutating func copyFirstChannel(of other: borrowing PCMBlock) {
    (missingFrames, isInterrupted, isOtherDevice) =
      (other.missingFrames, other.isInterrupted, other.isOtherDevice)
    other.withSamples(ofChannel: 0) { samples in
      withRoom(ofChannel: 0) { room in
        for index in samples.indices { room[index] = samples[index] }
      }
    }
    frameCount = other.frameCount
  }

  /// Replaces `frames` by the block's frames, interleaved. Allocates only where they need more room than before.
  package borrowing func interleave(into frames: inout [Float]) {
    frames.removeAll(keepingCapacity: true)
    frames.append(contentsOf: repeatElement(0, count: frameCount * channelCount))
    for channel in 0..<channelCount {
      withSamples(ofChannel: channel) { samples in
        for index in samples.indices { frames[index * channelCount + channel] = samples[index] }
      }
    }
  }

  @usableFromInline
  func start(ofChannel channel: Int) -> Int {
    precondition(0..<channelCount ~= channel, "no channel \(channel) in a block of \(channelCount)")
    return channel * capacity
  }
}

extension Span<Float> {
  /// The largest magnitude. NaN counts as the largest.
  ///
  /// The bits of positive floats are in their order, and the most of integers is found many at a time.
  package var peak: Float {
    var bits: UInt32 = 0
    for index in indices { bits = Swift.max(bits, self[index].bitPattern & 0x7FFF_FFFF) }
    return Float(bitPattern: bits)
  }
}
