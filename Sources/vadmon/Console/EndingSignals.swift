import Glibc
import RealTime
import SystemPackage

/// The signals that end vadmon: SIGHUP, SIGINT, SIGTERM and others whose default action ends a process.
///
/// The first SIGHUP, SIGINT or SIGTERM asks for an orderly end, in which results are completed, if the command has
/// called ``catchRequest(_:)``. Otherwise, and on a second one, vadmon ends at once:
/// ``TemporaryFiles/removeAllAndExit(_:by:)`` ends the process in either case, by the default action of the signal. On
/// SIGINT, ending at once is reported.
///
/// A dedicated thread waits for the signals, so no handler has to be async-signal-safe. This thread must not wait for
/// anything else.
enum EndingSignals {
  private struct State {
    /// What the first request calls instead of ending the process.
    var handler: (@Sendable () -> Void)?
    var request: (signal: Int32, time: ContinuousClock.Instant)?
  }

  private static let state = Guarded(State())

  /// How long further signals belong to the first request: timeout(1) sends each one twice, and a shell whose terminal
  /// is closed and the kernel send SIGHUP one after the other.
  private static let requestLength = Duration.milliseconds(250)

  /// The signal that asked for the end; `nil` if none has.
  static var request: Int32? { state.change { $0.request?.signal } }

  /// Blocks the signals and starts the thread that waits for them.
  ///
  /// Call this before any other thread is started, because threads inherit the blocked signals.
  ///
  /// `others` maps signals to handlers, which run on the signals' thread each time their signal arrives.
  ///
  /// SIGHUP stays ignored if nohup ignored it. SIGINT is always included: a shell without job control makes background
  /// processes ignore it, but scripts still send it to end an analysis.
  static func begin(others: [Int32: @Sendable () -> Void] = [:]) {
    let isIgnored = isHangupIgnored
    let all = set(of: (fatal + others.keys).filter { $0 != SIGHUP || !isIgnored })
    block(all, SIG_BLOCK)
    let isStarted = JoinableThread.startDetached {
      while true {
        let signal = next(of: all)
        if let handler = others[signal] {
          handler()
        } else if requests.contains(signal) {
          receive(signal)
        } else {
          endAtOnce(by: signal)
        }
      }
    }
    if !isStarted { block(all, SIG_UNBLOCK) }
  }

  /// Makes the first request for the end call `handler`, mostly on the signals' thread. A second one ends the process.
  static func catchRequest(_ handler: @escaping @Sendable () -> Void) {
    state.change { $0.handler = handler }
  }

  private static func receive(_ signal: Int32) {
    let isSecond = state.change { state in
      state.request.map { .now >= $0.time + requestLength } ?? false
    }
    if isSecond { endAtOnce(by: signal) } else { requestEnd(by: signal) }
  }

  /// Asks for an orderly end, unless something has already. SIGPIPE and SIGHUP also stand for a reader of the results
  /// who has gone. Threads: any.
  static func requestEnd(by signal: Int32) {
    let (isFirst, handler) = state.change { state in
      defer { state.request = state.request ?? (signal, .now) }
      return (state.request == nil, state.handler)
    }
    guard isFirst else { return }
    if let handler { handler() } else { endAtOnce(by: signal) }
  }

  /// Asks for the end if an error says that the reader of the results has gone. That is not a failure: returns whether
  /// the error does.
  @discardableResult
  static func requestEnd(ifReaderHasGone error: any Error) -> Bool {
    guard let signal = (error as? OutputError)?.missingReader else { return false }
    requestEnd(by: signal)
    return true
  }

  private static func endAtOnce(by signal: Int32) -> Never {
    StandardError.restore()
    // Nobody may be reading the messages, and that must not delay the end.
    if signal == SIGINT, FileDescriptor.standardError.takesBytes() {
      Messages().error("interrupted: the results are not complete")
    }
    TemporaryFiles.removeAllAndExit(ExitStatus.ended(by: signal), by: signal)
  }

  /// Ends the process by the default action of a signal, which tells a shell to end its loop or script as well.
  ///
  /// It returns for a signal that only stands for a reason (SIGPIPE), and in the first process of a container, which
  /// the default action does not end.
  static func endProcess(by signal: Int32) {
    guard fatal.contains(signal) else { return }
    Glibc.signal(signal, SIG_DFL)
    block(set(of: [signal]), SIG_UNBLOCK)
    // It reaches this thread alone: sent to the process, it could reach the one that waits for signals.
    raise(signal)
  }

  /// The signals that ask for an orderly end.
  private static let requests = [SIGHUP, SIGINT, SIGTERM]

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
    let stop = set(of: [SIGTSTP])
    kill(getpid(), SIGTSTP)
    block(stop, SIG_UNBLOCK)
    block(stop, SIG_BLOCK)
  }

  private static func set(of signals: [Int32]) -> sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal) }
    return set
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
