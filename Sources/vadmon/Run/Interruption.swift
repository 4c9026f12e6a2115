import VoiceActivity

/// The first SIGINT of an analysis ends all sources, so that what was found is printed; the second ends the process,
/// as ``EndingSignals`` says.
final class Interruption: Sendable {
  private struct State {
    var isInterrupted = false
    var stops: [ObjectIdentifier: @Sendable () -> Void] = [:]
  }

  private let state = Guarded(State())
  private let onInterrupt: @Sendable () -> Void

  /// `onInterrupt` is called once, on the signal's thread, before the sources are stopped.
  init(onInterrupt: @escaping @Sendable () -> Void) { self.onInterrupt = onInterrupt }

  var isInterrupted: Bool { state.change { $0.isInterrupted } }

  /// Calls `stop` when the signal comes, or at once if it has come, until `owner` is forgotten.
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

  /// Call it before any other thread is started.
  func begin() { EndingSignals.begin(onInterrupt: interrupt) }

  /// The lock is held only to copy the list.
  private func interrupt() {
    onInterrupt()
    let stops = state.change { state in
      state.isInterrupted = true
      return Array(state.stops.values)
    }
    for stop in stops { stop() }
  }
}
