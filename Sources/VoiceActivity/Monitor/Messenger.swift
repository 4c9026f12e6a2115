internal import Dispatch
internal import Synchronization

/// A thread that wakes observers in place of the analysis thread, because resuming a Swift task allocates.
/// It sleeps unless somebody waits for what has just changed.
///
/// Threads: any signals and stops, one runs.
final class Messenger: Sendable {
  private let signals = DispatchSemaphore(value: 0)
  private let stopped = Atomic(false)

  /// Something is to be delivered. Does not allocate.
  func signal() { signals.signal() }

  func stop() {
    stopped.store(true, ordering: .relaxed)
    signal()
  }

  /// Delivers whenever there is something, until stopped.
  func run(_ deliver: () -> Void) {
    while !stopped.load(ordering: .relaxed) {
      signals.wait()
      deliver()
    }
  }
}
