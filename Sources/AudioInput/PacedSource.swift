public import RealTime
internal import Synchronization

/// A recording delivered as a microphone would: no frame comes before its time.
///
/// Threads: as `PCMSource` requires. `@unchecked Sendable` is safe because only the thread that reads touches the
/// mutable properties. The atomic is relaxed, because no other memory depends on it.
public final class PacedSource: PCMSource, @unchecked Sendable {
  /// The recording, which is read as fast as needed.
  public let source: any RecordedSource
  public var sampleRate: Int { source.sampleRate }
  public var channelCount: Int { source.channelCount }
  public var channelsCancel: Bool { source.channelsCancel }

  private let wake = Wakeup()
  private let stopped = Atomic(false)
  private let periodFrames: Int

  // Everything below belongs to the thread that reads.
  private var buffer: PCMBlock
  /// The index of the next frame in `buffer`.
  private var next = 0
  /// The number of frames delivered.
  private var position: Int64 = 0
  private var start: ContinuousClock.Instant?

  /// Creates a source that delivers `source` in real time from the first read on.
  ///
  /// - Parameters:
  ///   - source: The recording.
  ///   - period: How much arrives at a time, 1 ms … 1 s.
  public init(_ source: any RecordedSource, period: Duration = .milliseconds(10)) {
    self.source = source
    let period = min(max(period, .milliseconds(1)), .seconds(1))
    periodFrames = max(1, Int(period / .seconds(1) * Double(source.sampleRate)))
    buffer = PCMBlock(channelCount: source.channelCount)
  }

  public func read(into block: inout PCMBlock) throws -> Bool {
    block.clear()
    guard !isStopped else { return false }
    if next == buffer.frameCount {
      guard try source.read(into: &buffer) else { return false }
      next = 0
      block.missingFrames = buffer.missingFrames
      position += Int64(buffer.missingFrames)
    }
    let count = min(periodFrames, buffer.frameCount - next, block.capacity)
    guard wait(until: position + Int64(count)) else { return false }
    hand(count, to: &block)
    return true
  }

  public func stop() {
    stopped.store(true, ordering: .relaxed)
    source.stop()
    wake.signal()
  }

  private var isStopped: Bool { stopped.load(ordering: .relaxed) }

  /// Waits until a microphone would have delivered the frames before `end`; returns `false` when stopped.
  private func wait(until end: Int64) -> Bool {
    let start = start ?? .now
    self.start = start
    let due = start + .seconds(Double(end) / Double(sampleRate))
    while !isStopped {
      let left = due - .now
      if left <= .zero { return true }
      wake.wait(atMost: left)
    }
    return false
  }

  private func hand(_ count: Int, to block: inout PCMBlock) {
    for channel in 0..<channelCount {
      buffer.withSamples(ofChannel: channel) { samples in
        block.withRoom(ofChannel: channel) { room in
          for index in 0..<count { room[index] = samples[next + index] }
        }
      }
    }
    block.frameCount = count
    next += count
    position += Int64(count)
  }
}
