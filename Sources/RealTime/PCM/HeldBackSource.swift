/// A source of one channel that comes later by a fixed time: what another source reports, lost frames included.
///
/// A sound server's monitor delivers what plays later than the microphone hears it. Held back by that time, the
/// microphone's sound meets a reference that has already arrived. When the source ends or is interrupted, what is held
/// is delivered at once.
///
/// Threads: as ``PCMSource`` requires. `@unchecked Sendable` is safe because only ``read(into:)``, one thread at a
/// time, touches the queue.
package final class HeldBackSource: PassingSource, @unchecked Sendable {
  /// Something other than samples in the queue, in front of the sample number `index`.
  private struct Mark {
    var index: Int
    var missingFrames: UInt64 = 0
    var isInterrupted = false
    var isOtherDevice = false
  }

  package let source: any PCMSource
  private let heldFrames: Int
  private var arrived = PCMBlock(channelCount: 1)
  private var samples: [Float] = []
  /// The number of samples that have left the queue: the number of the first in it.
  private var firstIndex = 0
  private var marks: [Mark] = []
  private var hasEnded = false
  /// What the source threw. It is thrown on when everything before it is delivered.
  private var failure: (any Error)?

  /// Creates a source. From now on `source`, which has one channel, belongs to it.
  package init(_ source: any PCMSource, by time: Duration) {
    precondition(source.channelCount == 1, "one channel is held back")
    self.source = source
    heldFrames = Int(time / .milliseconds(1) * Double(source.sampleRate) / 1000)
    samples.reserveCapacity(heldFrames + 2 * arrived.capacity)
  }

  package func read(into block: inout PCMBlock) throws -> Bool {
    block.clear()
    while true {
      if deliver(to: &block) { return true }
      if let failure { throw failure }
      if hasEnded { return false }
      arrived.wanted = block.wanted
      fetch()
    }
  }

  /// Appends what the source delivers next.
  private func fetch() {
    arrived.clear()
    do {
      hasEnded = try !source.read(into: &arrived)
    } catch {
      failure = error
      hasEnded = true
    }
    guard !hasEnded else { return }
    if arrived.missingFrames > 0 || arrived.isOtherDevice {
      marks.append(
        Mark(
          index: firstIndex + samples.count, missingFrames: arrived.missingFrames,
          isOtherDevice: arrived.isOtherDevice))
    }
    arrived.withSamples(ofChannel: 0) { arrived in
      for index in arrived.indices { samples.append(arrived[index]) }
    }
    if arrived.isInterrupted {
      marks.append(Mark(index: firstIndex + samples.count, isInterrupted: true))
    }
  }

  /// Delivers the mark or the samples at the front of the queue, if they are due.
  private func deliver(to block: inout PCMBlock) -> Bool {
    let isReleased = hasEnded || marks.contains { $0.isInterrupted }
    let due = isReleased ? samples.count : samples.count - heldFrames
    if let mark = marks.first, mark.index == firstIndex, isReleased || due >= 0 {
      marks.removeFirst()
      block.missingFrames = mark.missingFrames
      block.isInterrupted = mark.isInterrupted
      block.isOtherDevice = mark.isOtherDevice
      return true
    }
    let untilMark = marks.first.map { $0.index - firstIndex } ?? .max
    let count = min(due, untilMark, block.capacity)
    guard count > 0 else { return false }
    block.withRoom(ofChannel: 0) { room in
      for index in 0..<count { room[index] = samples[index] }
    }
    block.frameCount = count
    samples.removeFirst(count)
    firstIndex += count
    return true
  }
}
