internal import Synchronization
package import VoiceActivity

/// The other end of a capture thread: takes what that put into a ring, interleaved, out of it, block by
/// block.
///
/// Threads: one at a time reads; any may stop.
package final class BlockReader: @unchecked Sendable {
  package enum Outcome: Sendable {
    /// The block holds frames, or tells of missing ones.
    case block
    /// The capture thread has ended, and all that it left was read. Told once, then `stopped`.
    case endOfStream
    case stopped
    /// The capture thread was to end and has not within its time. Told once, then `stopped`: it is left to itself,
    /// and what it may still write is not read.
    case abandoned
  }

  private var reader: SampleRing.Reader
  /// Signalled by the ring's writer when there is something to read.
  private let wake: WakeEvent
  private let split: ChannelConversion
  private let stopped = Atomic(false)
  /// Until when the capture thread is waited for, CLOCK_MONOTONIC, ns.
  private let deadline = Atomic(Int64.max)

  /// - Parameter channelCount: Of the ring's samples.
  package init(_ reader: consuming SampleRing.Reader, wake: WakeEvent, channelCount: Int) {
    self.reader = reader
    self.wake = wake
    split = ChannelConversion(selection: .each, inputCount: channelCount)
  }

  /// Fills `block` with what comes next, waiting for it if need be.
  package func read(into block: inout PCMBlock) -> Outcome {
    block.frameCount = 0
    block.missingFrames = 0
    defer { block.overruns = reader.takeOverruns() }
    while !stopped.load(ordering: .relaxed) {
      let outcome = reader.read(upTo: block.capacity * split.inputCount) { region in
        split.append(region, to: &block)
      }
      switch outcome {
      case .samples: return .block
      case .gap(let missing):
        block.missingFrames = missing / UInt64(split.inputCount)
        return .block
      case .empty:
        guard sleep() else {
          return stopped.exchange(true, ordering: .relaxed) ? .stopped : .abandoned
        }
      case .endOfStream: return stopped.exchange(true, ordering: .relaxed) ? .stopped : .endOfStream
      }
    }
    return .stopped
  }

  /// Waits for the ring; `false` if there has been time enough.
  private func sleep() -> Bool {
    guard reader.prepareToSleep() else { return true }
    let deadline = deadline.load(ordering: .relaxed)
    guard deadline < .max else {
      wake.wait()
      return true
    }
    let left = deadline - monotonicTime()
    guard left > 0 else { return false }
    wake.wait(atMost: Int32(clamping: left / 1_000_000 + 1))
    return true
  }

  /// The capture thread was told to end. What it leaves is read for as long as `limit`, and then no more: it may hang
  /// in a call that nobody can end. Any thread.
  package func expectEnd(within limit: Duration) {
    let time = monotonicTime() + Int64(limit / .nanoseconds(1))
    _ = deadline.compareExchange(expected: .max, desired: time, ordering: .relaxed)
    wake.signal()
  }

  package func stop() {
    stopped.store(true, ordering: .relaxed)
    wake.signal()
  }
}
