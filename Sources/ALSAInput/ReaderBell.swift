internal import AudioInput

/// Wakes who reads a capture's ring, but not for every period: to wake a thread costs more than to analyse
/// what a period brings, and two periods cost hardly more than one.
///
/// It is rung when as much has come as is wanted at once, and whenever no more is to be expected soon.
///
/// Threads: the capture thread's, which is also where the ring asks for it.
final class ReaderBell: @unchecked Sendable {
  private let wake: WakeEvent
  private let batchFrames: Int
  private var isWanted = false
  /// Frames since it was last rung.
  private var frames = 0

  /// - Parameter batchFrames: How many are handed over at once, give or take half a period.
  init(_ wake: WakeEvent, batchFrames: Int, periodFrames: Int) {
    self.wake = wake
    self.batchFrames = batchFrames - periodFrames / 2
  }

  /// The reader sleeps, and there is something for it: what the ring calls.
  func want() { isWanted = true }

  /// The device was looked at, and so many frames came or were lost.
  func note(_ count: Int) {
    frames += count
    if count == 0 || frames >= batchFrames { ring() }
  }

  func ring() {
    frames = 0
    guard isWanted else { return }
    isWanted = false
    wake.signal()
  }
}
