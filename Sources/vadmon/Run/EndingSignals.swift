import Glibc

/// The signals that end vadmon: SIGHUP, SIGINT, SIGTERM and others whose default action ends a process.
///
/// On such a signal, vadmon removes its temporary files, restores the terminal, and exits with the code that shells
/// report for a process that the signal ended.
///
/// A dedicated thread waits for the signals, so no handler has to be async-signal-safe. This thread must not print.
enum EndingSignals {
  /// Blocks the signals and starts the thread that waits for them.
  ///
  /// Call this before any other thread is started, because threads inherit the blocked signals.
  ///
  /// The first SIGINT calls `onInterrupt` instead of ending the process. `others` maps further signals to handlers,
  /// which are called each time their signal arrives. All handlers run on the signals' thread.
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

  /// The signals to wait for.
  ///
  /// SIGHUP stays ignored if nohup ignored it. SIGINT is always included: a shell without job control makes background
  /// processes ignore it, but scripts still send it to end an analysis.
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

  /// Stops this process with the default action of SIGTSTP and returns when the process continues.
  ///
  /// Call this on the signals' thread: SIGTSTP is unblocked there alone, so no other thread can receive it.
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
