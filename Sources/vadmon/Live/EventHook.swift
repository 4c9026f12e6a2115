import Glibc
import SystemPackage
import VoiceActivity

/// Runs a program for each event, one at a time, on a thread of its own.
///
/// There is no shell: the program gets its arguments as they were given, and facts in its environment alone,
/// so that nothing that comes from outside can become a command. Events wait in a queue; a program that is
/// slower than they come loses the newest, and its user is told. Nobody waits for it.
final class EventHook: Sendable {
  /// What a program is told: names of variables and their values.
  typealias Facts = [(name: String, value: String)]

  private struct State {
    var waiting: [Facts] = []
    var isRunning = false
    var hasFailed = false
    var droppedCount = 0
  }

  /// How many events wait at most.
  static let capacity = 64

  private let command: LiveOptions.Hook
  private let isQuiet: Bool
  private let warn: @Sendable (String) -> Void
  private let state = Guarded(State())

  /// - Parameters:
  ///   - isQuiet: What the program prints goes nowhere; otherwise to standard error, for standard output is
  ///     for results.
  ///   - warn: Takes sentences, on any thread.
  init(
    _ command: LiveOptions.Hook, isQuiet: Bool, warn: @escaping @Sendable (String) -> Void
  ) throws(RunError) {
    self.command = command
    self.isQuiet = isQuiet
    self.warn = warn
    let isStarted = Thread.start { [self] in
      while true { run(next()) }
    }
    guard isStarted else {
      throw RunError(
        "cannot start a thread for --on-event: raise the limit on processes (ulimit -u)",
        exitCode: ExitStatus.unavailable)
    }
  }

  func put(_ facts: Facts) {
    let isFirstDrop = state.change { state in
      if state.waiting.count < Self.capacity {
        state.waiting.append(facts)
        return false
      }
      state.droppedCount += 1
      return state.droppedCount == 1
    }
    if isFirstDrop {
      warn("\(name) is slower than the events: it is not run for some of them")
    }
  }

  /// Waits until the last event was told of, but not for ever.
  ///
  /// - Parameter patience: In steps of 10 ms: 5 s.
  /// - Returns: How many it was not run for.
  func finish(patience: Int = 500) -> Int {
    for _ in 0..<patience where state.change({ $0.isRunning || !$0.waiting.isEmpty }) {
      usleep(10_000)
    }
    return state.change { $0.droppedCount + $0.waiting.count }
  }

  private var name: String { command.program.nameAsInput }

  private func next() -> Facts {
    state.wait { state in
      guard !state.waiting.isEmpty else { return nil }
      state.isRunning = true
      return state.waiting.removeFirst()
    }
  }

  private func run(_ facts: Facts) {
    let complaint = ChildProcess.run(command, facts: facts, isQuiet: isQuiet)
    let isFirst = state.change { state in
      state.isRunning = false
      defer { state.hasFailed = state.hasFailed || complaint != nil }
      return !state.hasFailed
    }
    if let complaint, isFirst { warn("--on-event: \(name) \(complaint)") }
  }
}
