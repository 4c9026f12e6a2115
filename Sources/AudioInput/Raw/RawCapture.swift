internal import Synchronization
internal import SystemPackage
internal import VoiceActivity

/// The capture thread of a ``RawPCMSource``: reads bytes, turns them into what the detectors hear, and
/// writes that into the ring, interleaved.
///
/// It may wait for two things only, for input and for room in the ring, and a stop ends both waits.
/// Unlike a device it loses nothing when the ring is full: whoever feeds the pipe waits. Its loop does
/// not allocate and does not log.
final class RawCapture: @unchecked Sendable {
  /// How it ended: written before the writer is dropped, read after the ring has told so.
  private(set) var failure: Errno?
  private(set) var leftoverByteCount = 0
  /// Not a byte has come.
  private(set) var isEmpty = true

  private let input: ByteStream
  private var converter: RawConverter
  private var writer: SampleRing.Writer?
  /// Signalled by the ring's reader when there is room.
  private let wake: WakeEvent
  private let stopped = Atomic(false)

  init(
    _ input: ByteStream, _ converter: consuming RawConverter,
    _ writer: consuming SampleRing.Writer, wake: WakeEvent
  ) {
    self.input = input
    self.converter = converter
    self.writer = consume writer
    self.wake = wake
  }

  /// Any thread.
  func stop() {
    stopped.store(true, ordering: .relaxed)
    wake.signal()
  }

  /// The loop, to its end.
  func run() {
    guard var writer = writer.take() else { return }
    do {
      while try read() {
        guard converter.takeFrames({ write($0, to: &writer) }) ?? true else { break }
      }
    } catch {
      failure = error
    }
    leftoverByteCount = converter.pendingByteCount
  }

  /// Waits for bytes and reads them; `false` at the end of the stream or when stopped.
  private func read() throws(Errno) -> Bool {
    while true {
      if !input.hasHead { wake.wait(orFor: input.descriptor) }
      guard !stopped.load(ordering: .relaxed) else { return false }
      do {
        let hasMore = try converter.read(from: input) > 0
        if hasMore { isEmpty = false }
        return hasMore
      } catch .resourceTemporarilyUnavailable {
        // The ring's signal ended the wait, and the descriptor does not block.
      }
    }
  }

  /// Waits for room and writes; `false` when stopped.
  private func write(_ samples: Span<Float>, to writer: inout SampleRing.Writer) -> Bool {
    while writer.prepareToSleep(untilRoomFor: samples.count) {
      wake.wait()
      guard !stopped.load(ordering: .relaxed) else { return false }
    }
    return writer.write(samples)
  }
}
