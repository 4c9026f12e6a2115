internal import RealTime

/// Wakes the reader of a capture's ring, but not for every period.
///
/// Waking a thread costs more than analysing a period, and two periods cost hardly more to analyse than one. The reader
/// wakes when a whole batch has arrived, and whenever no more can be expected soon.
///
/// Threads: only the capture thread uses it, and the ring calls `request` on that thread too. `@unchecked Sendable`
/// is safe for that reason.
final class BatchWakeup: @unchecked Sendable {
  private let wake: WakeEvent
  private let batchFrames: Int
  private var isRequested = false
  /// The number of frames since the last signal.
  private var frames = 0

  /// Creates the wake-up of one reader.
  ///
  /// - Parameter batchFrames: The number of frames to hand over at once, give or take half a period.
  init(_ wake: WakeEvent, batchFrames: Int, periodFrames: Int) {
    self.wake = wake
    self.batchFrames = batchFrames - periodFrames / 2
  }

  /// Requests a signal, because the reader sleeps while there is something to read. The ring of samples calls it.
  func request() { isRequested = true }

  /// Counts the frames of one fetch from the device, including lost frames.
  func count(_ fetched: Int) {
    frames += fetched
    if fetched == 0 || frames >= batchFrames { signal() }
  }

  /// Wakes the reader if it sleeps and there may be something to read.
  func signal() {
    frames = 0
    guard isRequested else { return }
    isRequested = false
    wake.signal()
  }
}
