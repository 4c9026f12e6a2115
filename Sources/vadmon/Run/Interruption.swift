import Glibc
import VoiceActivity

/// SIGINT: the first ends all sources, so that what was found is printed; the second ends the process.
///
/// A thread of its own waits for the signal, so that no handler has to be async-signal-safe. It may not
/// print, and holds the lock only to copy the list of sources.
final class Interruption: Sendable {
  private struct State {
    var isInterrupted = false
    var sources: [ObjectIdentifier: any PCMSource] = [:]
  }

  private let state = Monitor(State())
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

  /// Call it before any other thread is started: threads inherit that SIGINT is blocked.
  func begin() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGINT)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    Thread.start { [self] in
      Self.await(SIGINT)
      interrupt()
      Self.await(SIGINT)
      TemporaryFiles.removeAllAndExit(ExitStatus.interrupted)
    }
  }

  private func interrupt() {
    onInterrupt()
    let sources = state.change { state in
      state.isInterrupted = true
      return Array(state.sources.values)
    }
    for source in sources { source.stop() }
  }

  private static func await(_ signal: Int32) {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, signal)
    var received: Int32 = 0
    while sigwait(&signals, &received) != 0 {}
  }
}
