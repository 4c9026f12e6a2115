import RealTime

/// The handling of SIGINT during an analysis: the first one stops all sources, so that vadmon prints what it has found;
/// the second ends the process as ``EndingSignals`` describes.
final class Interruption: Sendable {
  private struct State {
    var isInterrupted = false
    var stops: [ObjectIdentifier: @Sendable () -> Void] = [:]
  }

  private let state = Guarded(State())
  private let onInterrupt: @Sendable () -> Void

  /// Creates the state. `onInterrupt` is called once, on the signals' thread, before the sources are stopped.
  init(onInterrupt: @escaping @Sendable () -> Void) { self.onInterrupt = onInterrupt }

  var isInterrupted: Bool { state.change { $0.isInterrupted } }

  /// Calls `stop` when the signal arrives, or at once if it has already arrived, until `forget(_:)` is called for
  /// `owner`.
  func watch(_ owner: AnyObject, stop: @escaping @Sendable () -> Void) {
    let stopsNow = state.change { state in
      state.stops[ObjectIdentifier(owner)] = stop
      return state.isInterrupted
    }
    if stopsNow { stop() }
  }

  func forget(_ owner: AnyObject) {
    state.change { _ = $0.stops.removeValue(forKey: ObjectIdentifier(owner)) }
  }

  /// Starts waiting for signals. Call this before any other thread is started.
  func begin() { EndingSignals.begin(onInterrupt: interrupt) }

  /// Holds the lock only to copy the list, so that no `stop` runs under it.
  private func interrupt() {
    onInterrupt()
    let stops = state.change { state in
      state.isInterrupted = true
      return Array(state.stops.values)
    }
    for stop in stops { stop() }
  }
}
