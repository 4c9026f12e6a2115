import VoiceActivity

/// The first SIGINT of an analysis ends all sources, so that what was found is printed; the second ends the process,
/// as ``EndingSignals`` says.
final class Interruption: Sendable {
  private struct State {
    var isInterrupted = false
    var sources: [ObjectIdentifier: any PCMSource] = [:]
  }

  private let state = Guarded(State())
  private let onInterrupt: @Sendable () -> Void

  /// `onInterrupt` is called once, on the signal's thread, before the sources are stopped.
  init(onInterrupt: @escaping @Sendable () -> Void) { self.onInterrupt = onInterrupt }

  var isInterrupted: Bool { state.change { $0.isInterrupted } }

  /// Stops `source` when the signal comes, or at once if it has come.
  func watch(_ source: any PCMSource) {
    let stopsNow = state.change { state in
      state.sources[ObjectIdentifier(source)] = source
      return state.isInterrupted
    }
    if stopsNow { source.stop() }
  }

  func forget(_ source: any PCMSource) {
    state.change { _ = $0.sources.removeValue(forKey: ObjectIdentifier(source)) }
  }

  /// Call it before any other thread is started.
  func begin() { EndingSignals.begin(onInterrupt: interrupt) }

  /// The lock is held only to copy the list of sources.
  private func interrupt() {
    onInterrupt()
    let sources = state.change { state in
      state.isInterrupted = true
      return Array(state.sources.values)
    }
    for source in sources { source.stop() }
  }
}
