import Glibc
import RealTime
import SystemPackage

/// The signals that end vadmon: SIGHUP, SIGINT, SIGTERM and others whose default action ends a process.
///
/// On such a signal, vadmon removes its temporary files, restores the terminal, and exits with the code that shells
/// report for a process that the signal ended. On SIGINT, it also says so.
///
/// A dedicated thread waits for the signals, so no handler has to be async-signal-safe. This thread must not wait for
/// anything else.
enum EndingSignals {
  /// What the next SIGINT calls instead of ending the process.
  private static let onInterrupt = Guarded<(@Sendable () -> Void)?>(nil)

  /// Blocks the signals and starts the thread that waits for them.
  ///
  /// Call this before any other thread is started, because threads inherit the blocked signals.
  ///
  /// `others` maps signals to handlers, which run on the signals' thread each time their signal arrives.
  ///
  /// SIGHUP stays ignored if nohup ignored it. SIGINT is always included: a shell without job control makes background
  /// processes ignore it, but scripts still send it to end an analysis.
  static func begin(others: [Int32: @Sendable () -> Void] = [:]) {
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in fatal + others.keys { sigaddset(&signals, signal) }
    if isHangupIgnored { sigdelset(&signals, SIGHUP) }
    let all = signals
    block(all, SIG_BLOCK)
    let isStarted = Thread.start {
      while true {
        let signal = next(of: all)
        if let handler = others[signal] {
          handler()
          continue
        }
        if signal == SIGINT { interrupt() } else { end(signal) }
      }
    }
    if !isStarted { block(all, SIG_UNBLOCK) }
  }

  /// Makes the next SIGINT call `handler` on the signals' thread. The one after it ends the process.
  static func catchNextInterrupt(_ handler: @escaping @Sendable () -> Void) {
    onInterrupt.change { $0 = handler }
  }

  private static func interrupt() {
    let handler = onInterrupt.change { handler in
      defer { handler = nil }
      return handler
    }
    if let handler { return handler() }
    StandardError.restore()
    // Nobody may be reading the messages, and that must not delay the end.
    if FileDescriptor.standardError.takesBytes() {
      Messages(isQuiet: false, progress: nil).error("interrupted: the results are not complete")
    }
    end(SIGINT)
  }

  private static func end(_ signal: Int32) -> Never {
    TemporaryFiles.removeAllAndExit(ExitStatus.ended(by: signal))
  }

  /// The signals whose default action ends a process, except those that report its own faults.
  private static let fatal = [
    SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGALRM, SIGVTALRM, SIGPROF, SIGUSR1, SIGUSR2, SIGXCPU, SIGIO,
    SIGPWR, SIGSTKFLT,
  ]

  private static var isHangupIgnored: Bool {
    var action = sigaction()
    sigaction(SIGHUP, nil, &action)
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
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
