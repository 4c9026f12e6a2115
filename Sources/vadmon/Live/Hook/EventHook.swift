import AudioInput
import SystemPackage
import VoiceActivity

/// Runs a program for each event, one at a time, on a thread of its own. Nobody waits for it.
///
/// There is no shell: the program gets its arguments as they were given, and facts in its environment alone,
/// so that nothing that comes from outside can become a command.
///
/// Events wait in a queue; a program that is slower than they come loses the newest. States go before events, and of
/// each only the newest waits: it is late by the program that runs, and by no more. A program that takes longer than
/// the time limit is ended, with all that it has started.
final class EventHook: Sendable {
  /// What a program finds in its environment: names of variables and their values.
  typealias Facts = [(name: String, value: String)]

  /// A state and what it is now: only the newest matters to whoever comes late.
  struct Standing: Sendable, Hashable {
    var name: String
    var value: String
  }

  private struct Item {
    var standing: Standing?
    var facts: Facts
  }

  private struct State {
    /// The newest of each.
    var states: [Item] = []
    var events: [Item] = []
    /// The values that programs were last run for, by the states' names.
    var reported: [String: String] = [:]
    var isRunning = false
    var isStopping = false
    /// Complaints that were made.
    var complaints: Set<String> = []
    var droppedCount = 0

    var isBusy: Bool { isRunning || !states.isEmpty || !events.isEmpty }

    mutating func next() -> Item? {
      guard !states.isEmpty || !events.isEmpty else { return nil }
      let item = states.isEmpty ? events.removeFirst() : states.removeFirst()
      if let standing = item.standing { reported[standing.name] = standing.value }
      isRunning = true
      return item
    }
  }

  /// How many events wait at most.
  static let capacity = 64

  private let command: LiveOptions.Hook
  private let isQuiet: Bool
  private let warn: @Sendable (String) -> Void
  private let state = Guarded(State())
  /// Ends the wait for a program.
  private let stopping: WakeEvent
  /// A program has ended.
  private let progress: WakeEvent

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
    do {
      (stopping, progress) = (try WakeEvent(), try WakeEvent())
      let thread = try JoinableThread { [self] in
        while true { run(state.wait { $0.next() }.facts) }
      }
      thread.detach()
    } catch {
      throw RunError(
        "cannot start a thread for --on-event: raise the limit on processes (ulimit -u)",
        exitCode: ExitStatus.unavailable)
    }
  }

  /// Runs the program for an event, or, with a `standing`, for a state that has changed.
  func put(_ facts: Facts, standing: Standing? = nil) {
    let item = Item(standing: standing, facts: facts)
    let isFull = state.change { state in
      if state.isStopping { return false }
      if let standing {
        state.states.removeAll { $0.standing?.name == standing.name }
        // As it was when a program was last run for it: whatever was in between is over.
        if state.reported[standing.name] != standing.value { state.states.append(item) }
        return false
      }
      guard state.events.count < Self.capacity else {
        state.droppedCount += 1
        return true
      }
      state.events.append(item)
      return false
    }
    if isFull { complain("is slower than the events: it is not run for some of them") }
  }

  /// Waits until a program was run for everything, within patience; then ends the one that runs. No other is run.
  ///
  /// - Returns: How many events there was no program for.
  func finish(_ patience: Patience) -> Int {
    wait(patience)
    let missed = state.change { state in
      state.isStopping = true
      defer { (state.states, state.events) = ([], []) }
      return state.droppedCount + state.states.count + state.events.count
    }
    stopping.signal()
    wait(Patience(.milliseconds(200)))
    return missed
  }

  private func wait(_ patience: Patience) {
    while state.change({ $0.isBusy }), !patience.isOver { progress.wait(atMost: 10) }
  }
}

// MARK: - The thread

extension EventHook {
  private func run(_ facts: Facts) {
    if let complaint = outcome(facts) { complain(complaint) }
    state.change { $0.isRunning = false }
    progress.signal()
  }

  /// What was wrong, if anything, as the rest of a sentence.
  private func outcome(_ facts: Facts) -> String? {
    let child: ChildProcess
    do {
      child = try ChildProcess(
        ChildProcess.Command(
          program: command.program, arguments: command.arguments, variables: facts,
          isQuiet: isQuiet))
    } catch {
      return "cannot be run: \(error)"
    }
    let hasEnded = wait(for: child)
    if !hasEnded { child.end() }
    let complaint = child.complaint()
    if hasEnded { return complaint }
    return state.change { $0.isStopping }
      ? "had not ended when vadmon did, and was ended"
      : "took longer than \(command.timeLimit.plain), and was ended"
  }

  private func wait(for child: borrowing ChildProcess) -> Bool {
    let end = ContinuousClock.now + command.timeLimit
    while true {
      let left = (end - .now) / .milliseconds(1)
      if child.wait(or: stopping, atMost: Int32(clamping: Int(max(0, left.rounded(.up))))) {
        return true
      }
      if left <= 0 || state.change({ $0.isStopping }) { return false }
    }
  }

  /// Each complaint is made once.
  private func complain(_ sentence: String) {
    let isNew = state.change { $0.complaints.insert(sentence).inserted }
    if isNew { warn("--on-event: \(command.program.nameAsInput) \(sentence)") }
  }
}

extension Duration {
  /// `5 s`, `0.25 s`.
  fileprivate var plain: String {
    let milliseconds = Int((self / .milliseconds(1)).rounded())
    return milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(milliseconds) ms"
  }
}
