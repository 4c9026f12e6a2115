import AudioInput
import RealTime
import Synchronization

/// A source that also copies its samples to a ``Recorder``.
///
/// The copy goes through a ring, so the reading thread does not wait for a disk. Samples that the disk is too slow for
/// become silence of the same length in the recording. Only a pipe, which can wait, waits for room in the ring, and not
/// for long: if a disk has stalled, listening goes on.
///
/// The recording ends with the source: a gap after the last sample is written as well.
///
/// Threads: as `PCMSource` describes. It is `@unchecked Sendable` because only the reading thread uses `writer` and
/// `hasStalled`. `isStopped` is an independent value, and relaxed.
final class RecordingTap: PassingSource, @unchecked Sendable {
  let source: any PCMSource
  /// The recorder's wake-up, and the one that is signalled when there is room; `nil` if the source cannot wait.
  private let waiting: (recorder: Wakeup, room: Wakeup)?
  private let isStopped = Atomic(false)
  // Only the reading thread accesses the following properties.
  private var writer: SampleRing.Writer?
  /// Whether the last wait was in vain.
  private var hasStalled = false
  /// The frames of the newest block, interleaved; empty for one channel, which needs no copy.
  private var interleaved: [Float] = []

  /// How long to wait for the disk before sound is lost.
  private static let longestWait = Duration.seconds(5)

  /// Creates a tap. The ring gets the source's channels interleaved.
  init(
    _ source: any PCMSource, _ writer: consuming SampleRing.Writer,
    waiting: (recorder: Wakeup, room: Wakeup)?
  ) {
    self.source = source
    self.writer = consume writer
    self.waiting = waiting
  }

  func read(into block: inout PCMBlock) throws -> Bool {
    guard try readSource(&block) else { return false }
    writer?.skip(block.missingFrames * UInt64(channelCount))
    if let waiting {
      wait(for: block.frameCount * channelCount, waiting.recorder, waiting.room)
    }
    if channelCount == 1 {
      block.withSamples(ofChannel: 0) { samples in _ = writer?.write(samples) }
    } else {
      block.interleave(into: &interleaved)
      let frames = interleaved
      _ = writer?.write(frames.span)
    }
    return true
  }

  private func wait(for count: Int, _ recorder: Wakeup, _ room: Wakeup) {
    guard writer?.room() ?? 0 < count else {
      hasStalled = false
      return
    }
    if hasStalled { return }
    recorder.signal()
    let patience = Patience(Self.longestWait)
    while writer?.prepareToSleep(untilRoomFor: count) == true {
      hasStalled = patience.isOver
      if hasStalled || isStopped.load(ordering: .relaxed) { return }
      room.wait(atMost: .milliseconds(100))
    }
  }

  private func readSource(_ block: inout PCMBlock) throws -> Bool {
    var hasMore = false
    // Ending the writer informs the recorder of a gap at the end.
    defer { if !hasMore { writer = nil } }
    hasMore = try source.read(into: &block)
    return hasMore
  }

  func stop() {
    isStopped.store(true, ordering: .relaxed)
    source.stop()
  }
}
