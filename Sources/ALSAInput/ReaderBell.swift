internal import RealTime

/// Wakes the reader of a capture's ring, but not for every period.
///
/// Waking a thread costs more than analysing a period, and two periods cost hardly more to analyse than one. The bell
/// rings when a whole batch has arrived, and whenever no more can be expected soon.
///
/// Threads: only the capture thread uses it, and the ring calls `requestRing` on that thread too. `@unchecked Sendable`
/// is safe for that reason.
final class ReaderBell: @unchecked Sendable {
  private let wake: WakeEvent
  private let batchFrames: Int
  private var isRequested = false
  /// The number of frames since the bell last rang.
  private var frames = 0

  /// Creates a bell.
  ///
  /// - Parameter batchFrames: The number of frames to hand over at once, give or take half a period.
  init(_ wake: WakeEvent, batchFrames: Int, periodFrames: Int) {
    self.wake = wake
    self.batchFrames = batchFrames - periodFrames / 2
  }

  /// Requests a ring, because the reader sleeps while there is something to read. The ring of samples calls it.
  func requestRing() { isRequested = true }

  /// Notes a look at the device that brought this many frames, including lost frames.
  func note(_ count: Int) {
    frames += count
    if count == 0 || frames >= batchFrames { ring() }
  }

  func ring() {
    frames = 0
    guard isRequested else { return }
    isRequested = false
    wake.signal()
  }
}
