internal import Dispatch
internal import Synchronization

/// The loop of a thread that wakes observers on behalf of the analysis thread, because resuming a Swift task allocates.
///
/// The thread sleeps unless an observer waits for something that has just changed.
///
/// Threads: any thread signals and stops; one runs. `stopped` is relaxed, because the semaphore orders the store in
/// ``stop()`` before the load that follows its signal.
final class Messenger: Sendable {
  private let signals = DispatchSemaphore(value: 0)
  private let stopped = Atomic(false)

  /// Requests a delivery. Does not allocate.
  func signal() { signals.signal() }

  func stop() {
    stopped.store(true, ordering: .relaxed)
    signal()
  }

  /// Delivers after each signal until ``stop()`` is called.
  func run(_ deliver: () -> Void) {
    while !stopped.load(ordering: .relaxed) {
      signals.wait()
      deliver()
    }
  }
}
