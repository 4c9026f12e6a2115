internal import RealTime
internal import Synchronization
internal import SystemPackage

/// The capture thread of a ``RawPCMSource``. It reads bytes, converts them to the detectors' channels, and writes
/// those to the ring, interleaved.
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
  private(set) var leftoverByteCount = 0
  /// Whether no byte has arrived.
  private(set) var isEmpty = true

  private let input: ByteStream
  private var converter: RawConverter
  private var writer: SampleRing.Writer?
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
    leftoverByteCount = converter.pendingByteCount
  }

  /// Waits for bytes and reads them. Returns `false` at the end of the stream or when stopped.
  private func read() throws(Errno) -> Bool {
    while true {
      if !input.hasHead { wake.wait(orFor: input.descriptor) }
      guard !stopped.load(ordering: .relaxed) else { return false }
      do {
        let hasMore = try converter.read(from: input) > 0
        if hasMore { isEmpty = false }
        return hasMore
      } catch .resourceTemporarilyUnavailable {
        // The ring's signal ended the wait, and the descriptor is non-blocking.
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
