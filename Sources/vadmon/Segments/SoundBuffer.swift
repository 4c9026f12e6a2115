/// The newest frames of a recording, by their positions. Silence takes no memory.
struct SoundBuffer {
  let channelCount: Int
  /// The position of the first frame that is kept.
  private(set) var start: UInt64 = 0
  /// The position after the newest frame.
  private(set) var end: UInt64 = 0
  /// The frames outside `silences`.
  private var samples: [Float] = []
  /// The samples at the start of `samples` that are no longer needed.
  private var spare = 0
  private var silences: [Range<UInt64>] = []

  init(channelCount: Int) { self.channelCount = channelCount }

  /// Appends interleaved frames.
  mutating func append(_ frames: Span<Float>) {
    frames.withUnsafeBufferPointer { samples.append(contentsOf: $0) }
    end += UInt64(frames.count / channelCount)
  }

  /// Appends silence.
  mutating func append(silence frameCount: UInt64) {
    if frameCount > 0 { silences.append(end..<end + frameCount) }
    end += frameCount
  }

  /// Forgets the frames before `position`.
  mutating func drop(before position: UInt64) {
    guard position > start else { return }
    let dropped = start..<min(position, end)
    spare += soundCount(in: dropped) * channelCount
    start = dropped.upperBound
    silences.removeAll { $0.upperBound <= dropped.upperBound }
    // Moving the rest only when half is spare costs each sample one move.
    guard spare * 2 >= samples.count else { return }
    samples.removeFirst(spare)
    spare = 0
  }

  /// Returns frames that are kept.
  func frames(_ range: Range<UInt64>) -> [Float] {
    precondition(range.lowerBound >= start && range.upperBound <= end, "sound that is not kept")
    var frames: [Float] = []
    frames.reserveCapacity(range.count * channelCount)
    var next = spare + soundCount(in: start..<range.lowerBound) * channelCount
    func appendSound(_ frameCount: Int) {
      frames += samples[next..<next + frameCount * channelCount]
      next += frameCount * channelCount
    }
    var position = range.lowerBound
    for silence in silences where silence.overlaps(range) {
      let silence = silence.clamped(to: range)
      appendSound(Int(silence.lowerBound - position))
      frames.append(contentsOf: repeatElement(0, count: silence.count * channelCount))
      position = silence.upperBound
    }
    appendSound(Int(range.upperBound - position))
    return frames
  }

  /// Returns the number of frames in a range that is kept which are not silence.
  private func soundCount(in range: Range<UInt64>) -> Int {
    silences.reduce(range.count) { $0 - $1.clamped(to: range).count }
  }
}
