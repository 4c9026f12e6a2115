import Glibc

/// SIGHUP, SIGINT and SIGTERM end vadmon with the exit code that shells report of a program that they ended, but not
/// before its temporary files are gone.
///
/// A thread of its own waits for them, so that no handler has to be async-signal-safe. It may not print.
enum EndingSignals {
  /// Call it before any other thread is started: threads inherit that the signals are blocked.
  ///
  /// `onInterrupt` is called instead for the first SIGINT, on the signals' thread.
  static func begin(onInterrupt: (@Sendable () -> Void)? = nil) {
    let signals = awaited
    block(signals, SIG_BLOCK)
    let isStarted = Thread.start {
      var onInterrupt = onInterrupt
      while true {
        let signal = next(of: signals)
        guard signal == SIGINT, let handler = onInterrupt else {
          TemporaryFiles.removeAllAndExit(ExitStatus.ended(by: signal))
        }
        onInterrupt = nil
        handler()
      }
    }
    if !isStarted { block(signals, SIG_UNBLOCK) }
  }

  /// SIGHUP stays ignored where nohup had it ignored. SIGINT does not: scripts, whose shell has what runs in the
  /// background ignore it, end an analysis with it.
  private static var awaited: sigset_t {
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGINT, SIGTERM] { sigaddset(&signals, signal) }
    var action = sigaction()
    sigaction(SIGHUP, nil, &action)
    let ignore = unsafeBitCast(SIG_IGN, to: Int.self)
    if unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) != ignore {
      sigaddset(&signals, SIGHUP)
    }
    return signals
  }

  private static func block(_ signals: sigset_t, _ how: Int32) {
    var signals = signals
    pthread_sigmask(how, &signals, nil)
  }

  private static func next(of signals: sigset_t) -> Int32 {
    var signals = signals
    var received: Int32 = 0
    while sigwait(&signals, &received) != 0 {}
    return received
  }
}
