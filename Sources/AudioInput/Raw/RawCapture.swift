internal import RealTime
internal import Synchronization
internal import SystemPackage

/// The capture thread of a ``RawPCMSource``. It reads bytes, mixes or selects channels, and writes the frames to the
/// ring.
///
/// It may wait for two things only, for input and for room in the ring, and a stop ends both waits. Unlike a device, it
/// loses nothing when the ring is full: the program that feeds the pipe waits. Its loop does not allocate or log.
///
/// `@unchecked Sendable` is safe because only the capture thread touches the converter, the writer and, until it ends,
/// the results. The atomic is relaxed, because the wake event orders it before the wait that it ends.
final class RawCapture: @unchecked Sendable {
  /// The error that ended the thread. The thread writes these results before it drops the writer; the reader reads
  /// them after the ring has reported the end, which orders the two.
  private(set) var failure: Errno?
  /// The bytes of a torn frame at the end of the stream.
  private(set) var leftoverByteCount = 0
  /// Whether the stream ended without a byte. A capture that was stopped has not seen the end.
  private(set) var isEmpty = false

  private let input: ByteStream
  private var converter: RawConverter
  private var writer: SampleRing.Writer?
  private var hasRead = false
  /// The event that the ring's reader signals when there is room.
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

  /// Ends the thread. Any thread may call it.
  func stop() {
    stopped.store(true, ordering: .relaxed)
    wake.signal()
  }

  /// Runs the loop until the end.
  func run() {
    guard var writer = writer.take() else { return }
    do {
      while try read() {
        guard converter.takeFrames({ write($0, to: &writer) }) ?? true else { break }
      }
    } catch {
      failure = error
    }
  }

  /// Waits for bytes and reads them. Returns `false` at the end of the stream or when stopped.
  private func read() throws(Errno) -> Bool {
    while true {
      let isReady = input.hasHead || wake.wait(orFor: input.descriptor)
      guard !stopped.load(ordering: .relaxed) else { return false }
      // The ring's reader may have signalled room: a read would then wait, and no stop would end it.
      guard isReady else { continue }
      do {
        if try converter.read(from: input) > 0 {
          hasRead = true
          return true
        }
        (isEmpty, leftoverByteCount) = (!hasRead, converter.pendingByteCount)
        return false
      } catch .resourceTemporarilyUnavailable {
        // Somebody else has read what was there, and the descriptor is non-blocking.
      }
    }
  }

  /// Waits for room and writes. Returns `false` when stopped.
  private func write(_ samples: Span<Float>, to writer: inout SampleRing.Writer) -> Bool {
    while writer.prepareToSleep(untilRoomFor: samples.count) {
      wake.wait()
      guard !stopped.load(ordering: .relaxed) else { return false }
    }
    return writer.write(samples)
  }
}
