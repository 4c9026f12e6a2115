internal import RealTime

/// The loop of a thread that wakes observers on behalf of the analysis thread, because resuming a Swift task allocates.
///
/// The thread sleeps unless an observer waits for something that has just changed.
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

  /// Ends ``run(_:)`` after the deliveries that were requested.
  func stop() { state.change { $0.isStopped = true } }

  /// Delivers after each signal until ``stop()`` is called.
  func run(_ deliver: () -> Void) {
    while state.wait(for: { $0.next() }) { deliver() }
  }
}
