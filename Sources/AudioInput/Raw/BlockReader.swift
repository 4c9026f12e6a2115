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
  }

  private var reader: SampleRing.Reader
  /// Signalled by the ring's writer when there is something to read.
  private let wake: WakeEvent
  private let split: ChannelConversion
  private let stopped = Atomic(false)

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
      case .empty: if reader.prepareToSleep() { wake.wait() }
      case .endOfStream: return stopped.exchange(true, ordering: .relaxed) ? .stopped : .endOfStream
      }
    }
    return .stopped
  }

  package func stop() {
    stopped.store(true, ordering: .relaxed)
    wake.signal()
  }
}
