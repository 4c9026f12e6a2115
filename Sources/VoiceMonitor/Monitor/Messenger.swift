internal import RealTime

/// The loop of a thread that wakes observers on behalf of the analysis thread, because resuming a Swift task allocates,
/// and that looks at the clock for it.
///
/// The thread sleeps unless an observer waits for something that has just changed, or a look is due.
///
/// Threads: any thread signals and stops; one runs.
final class Messenger: Sendable {
  private struct State {
    /// Whether a delivery was requested since the last one began.
    var isDue = false
    var isStopped = false

    /// Returns whether to deliver; `false` is the end, and `nil` means that there is nothing to do yet.
    mutating func next() -> Bool? {
      defer { isDue = false }
      if isDue { return true }
      return isStopped ? false : nil
    }
  }

  private let state = Guarded(State())

  /// Requests a delivery. Does not allocate.
  func signal() { state.change { $0.isDue = true } }

  /// Ends ``run(_:looking:)`` after the deliveries that were requested.
  func stop() { state.change { $0.isStopped = true } }

  /// Delivers after each signal, and looks whenever it is time, until ``stop()`` is called.
  ///
  /// - Parameter look: Returns when to look again (CLOCK_MONOTONIC, ns).
  func run(_ deliver: () -> Void, looking look: () -> Int64) {
    var nextLook = look()
    while true {
      switch state.wait(until: nextLook, for: { $0.next() }) {
      case true: deliver()
      case false: return
      case nil: break
      }
      if monotonicTime() >= nextLook { nextLook = look() }
    }
  }
}
