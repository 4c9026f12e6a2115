import Glibc

/// SIGHUP, SIGINT, SIGTERM and whatever else ends a program end vadmon with the exit code that shells report of a
/// program that they ended, but not before its temporary files are gone and the terminal is as it was.
///
/// A thread of its own waits for them, so that no handler has to be async-signal-safe. It may not print.
enum EndingSignals {
  /// Call it before any other thread is started: threads inherit that the signals are blocked.
  ///
  /// `onInterrupt` is called instead for the first SIGINT, and `others` for other signals whenever they come; all on
  /// the signals' thread.
  static func begin(
    onInterrupt: (@Sendable () -> Void)? = nil, others: [Int32: @Sendable () -> Void] = [:]
  ) {
    var signals = awaited
    for signal in others.keys { sigaddset(&signals, signal) }
    let all = signals
    block(all, SIG_BLOCK)
    let isStarted = Thread.start {
      var onInterrupt = onInterrupt
      while true {
        let signal = next(of: all)
        if let handler = others[signal] {
          handler()
          continue
        }
        guard signal == SIGINT, let handler = onInterrupt else {
          TemporaryFiles.removeAllAndExit(ExitStatus.ended(by: signal))
        }
        onInterrupt = nil
        handler()
      }
    }
    if !isStarted { block(all, SIG_UNBLOCK) }
  }

  /// SIGHUP stays ignored where nohup had it ignored. SIGINT does not: scripts, whose shell has what runs in the
  /// background ignore it, end an analysis with it.
  private static var awaited: sigset_t {
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [
      SIGINT, SIGQUIT, SIGTERM, SIGALRM, SIGVTALRM, SIGPROF, SIGUSR1, SIGUSR2, SIGXCPU, SIGIO,
      SIGPWR, SIGSTKFLT,
    ] { sigaddset(&signals, signal) }
    var action = sigaction()
    sigaction(SIGHUP, nil, &action)
    let ignore = unsafeBitCast(SIG_IGN, to: Int.self)
    if unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) != ignore {
      sigaddset(&signals, SIGHUP)
    }
    return signals
  }

  /// Stops this process as SIGTSTP does where nobody waits for it; returns when it goes on. Call it on the signals'
  /// thread, which alone may receive the signal then.
  static func stopProcess() {
    var stop = sigset_t()
    sigemptyset(&stop)
    sigaddset(&stop, SIGTSTP)
    kill(getpid(), SIGTSTP)
    block(stop, SIG_UNBLOCK)
    block(stop, SIG_BLOCK)
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
