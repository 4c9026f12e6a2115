internal import Synchronization

/// The reading end of a capture thread: takes interleaved frames out of a ring, block by block, and separates their
/// channels.
///
/// Threads: one thread at a time reads; any thread may stop it; the capture thread announces interruptions.
/// `@unchecked Sendable` is safe because only the reading thread touches the ring's reader, `returnedInterruption` and
/// `returnedOtherDevice`, and only the capture thread touches `interruptionCount`. The other atomics are relaxed,
/// because the wake-up orders them before the wait that it ends, and no other memory depends on them.
package final class BlockReader: @unchecked Sendable {
  package enum Outcome: Sendable {
    /// The block holds frames, or a count of missing ones.
    case block
    /// Nothing will come for now, as the capture thread has announced. Returned once per interruption, and not at all
    /// for one that is over before the ring is empty.
    case interrupted
    /// The capture thread has ended, and everything that it wrote was read. Returned once, then `stopped`.
    case endOfStream
    case stopped
    /// The capture thread did not end within the time limit. Returned once, then `stopped`. The thread is left to
    /// itself, and what it may still write is not read.
    case abandoned
  }

  private var reader: SampleRing.Reader
  /// What the ring's writer has lost. Any thread may read it.
  package let losses: SampleRing.Losses
  /// The ring's writer signals it when there is something to read.
  private let wake: Wakeup
  private let split: ChannelConversion
  private let stopped = Atomic(false)
  /// The number of the present interruption, counted from 1; 0 if there is none. Stored with release and loaded with
  /// acquire order before the ring is read, so that the ring then holds everything from before the interruption.
  private let interruption = Atomic<UInt64>(0)
  /// The number of interruptions that have begun. Belongs to the capture thread.
  private var interruptionCount: UInt64 = 0
  /// The number of the interruption that was last returned. Belongs to the reading thread.
  private var returnedInterruption: UInt64 = 0
  /// The ring's position from which on another device delivers; `.max` for none. Relaxed: the ring publishes what is
  /// written behind it afterwards, so that whoever reads that finds the position.
  private let otherDevice = Atomic(UInt64.max)
  /// The position for which the reader last returned another device. Belongs to the reading thread.
  private var returnedOtherDevice = UInt64.max
  /// ``PCMBlock/Wanted/urgentPeak`` of the present wait, as its bits. Relaxed: a peak of before is as good.
  private let urgentPeak = Atomic(Float.infinity.bitPattern)
  /// Until when to wait for the capture thread, CLOCK_MONOTONIC, ns.
  private let deadline = Atomic(Int64.max)

  /// Creates a reader.
  ///
  /// - Parameter channelCount: The number of channels in the ring's samples.
  package init(_ reader: consuming SampleRing.Reader, wake: Wakeup, channelCount: Int) {
    losses = reader.losses
    self.reader = reader
    self.wake = wake
    split = ChannelConversion(selection: .each, inputCount: channelCount)
  }

  /// Fills `block` with what comes next, waiting for it if need be.
  package func read(into block: inout PCMBlock) -> Outcome {
    block.clear()
    while !stopped.load(ordering: .relaxed) {
      let interruption = interruption.load(ordering: .acquiring)
      let position = reader.position
      let outcome = reader.read(upTo: block.capacity * split.inputCount) { region in
        split.append(region, to: &block)
      }
      switch outcome {
      case .samples:
        block.isOtherDevice = isOtherDevice(at: position)
        return .block
      case .gap(let missing):
        block.isOtherDevice = isOtherDevice(at: position)
        block.missingFrames = missing / UInt64(split.inputCount)
        return .block
      case .empty where interruption != 0 && interruption != returnedInterruption:
        returnedInterruption = interruption
        return .interrupted
      case .empty:
        guard sleep(until: block.wanted) else {
          return stopped.exchange(true, ordering: .relaxed) ? .stopped : .abandoned
        }
      case .endOfStream: return stopped.exchange(true, ordering: .relaxed) ? .stopped : .endOfStream
      }
    }
    return .stopped
  }

  /// Whether what begins at this position is the first of another device.
  private func isOtherDevice(at position: UInt64) -> Bool {
    let begin = otherDevice.load(ordering: .relaxed)
    guard begin != returnedOtherDevice, position >= begin else { return false }
    returnedOtherDevice = begin
    return true
  }

  /// Whether samples must wake the reader, however few they are. Only the capture thread calls it.
  package func isUrgent(_ samples: Span<Float>) -> Bool {
    let limit = Float(bitPattern: urgentPeak.load(ordering: .relaxed))
    return limit < .infinity && samples.peak >= limit
  }

  /// Waits for the ring. Returns `false` once the deadline has passed.
  private func sleep(until wanted: PCMBlock.Wanted) -> Bool {
    urgentPeak.store(wanted.urgentPeak.bitPattern, ordering: .relaxed)
    return reader.sleep(
      for: wanted.frameCount * split.inputCount, on: wake,
      until: deadline.load(ordering: .relaxed))
  }

  /// Sets the deadline after the capture thread was asked to end. What it leaves is read until `limit` has passed, and
  /// then no more, because the thread may hang in a call that nobody can end. Any thread may call it.
  package func expectEnd(within limit: Duration) {
    let time = monotonicTime(after: limit)
    _ = deadline.compareExchange(expected: .max, desired: time, ordering: .relaxed)
    wake.signal()
  }

  /// Announces that nothing will come for now. The reader returns the interruption when it has read everything before.
  /// Only the capture thread calls it.
  package func beginInterruption() {
    interruptionCount += 1
    interruption.store(interruptionCount, ordering: .releasing)
    wake.signal()
  }

  /// Announces that frames may come again. Only the capture thread calls it.
  package func endInterruption() { interruption.store(0, ordering: .releasing) }

  /// Announces that another device, or one that cannot be told to be the same, delivers from a position of the ring on.
  /// Only the capture thread calls it, before it writes there.
  package func beginOtherDevice(at position: UInt64) {
    otherDevice.store(position, ordering: .relaxed)
  }

  package func stop() {
    stopped.store(true, ordering: .relaxed)
    wake.signal()
  }
}
