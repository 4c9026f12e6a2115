import Processes
import RealTime
import SystemPackage

/// The runner of the program for events, one event at a time, on a separate thread that never delays other threads.
///
/// There is no shell. The program gets its arguments as the user wrote them, and event data in its environment only, so
/// that no external data can become a command.
///
/// Events wait in a queue. If the program is too slow and the queue is full, the newest events are dropped. States go
/// before events, and only the newest value of each waits: it is delayed by at most the program that is running. A
/// program that exceeds the time limit is ended, with everything that it has started.
final class EventHook: Sendable {
  /// The environment variables of a program, which gives none of them to a vadmon as a setting.
  enum Variable: String, CaseIterable {
    case event = "VADMON_EVENT"
    case time = "VADMON_TIME"
    case decidedAt = "VADMON_DECIDED_AT"
    case value = "VADMON_VALUE"
    case message = "VADMON_MESSAGE"
  }

  /// The environment variables of a program, as names and values.
  typealias Facts = [(name: String, value: String)]

  /// A state and its present value. A late reader needs only the newest value.
  struct Standing: Sendable, Hashable {
    var name: String
    var value: String
  }

  private struct Item {
    var standing: Standing?
    var facts: Facts
  }

  private struct State {
    /// The newest value of each state.
    var states: [Item] = []
    var events: [Item] = []
    /// The values that programs were last run for, by the names of states.
    var reported: [String: String] = [:]
    var isRunning = false
    var isStopping = false
    /// The complaints already made.
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

  /// The maximum number of waiting events.
  static let capacity = 64

  private let command: LiveOptions.Hook
  private let isQuiet: Bool
  private let warn: @Sendable (String) -> Void
  private let state = Guarded(State())
  /// Signalled to end the wait for a program.
  private let stopping: WakeEvent
  /// Signalled when a program has ended.
  private let progress: WakeEvent

  /// Starts the thread.
  ///
  /// - Parameters:
  ///   - isQuiet: Whether the program's output is discarded. Otherwise it goes to standard error, because standard
  ///     output is for results.
  ///   - warn: Receives sentences, on any thread.
  init(
    _ command: LiveOptions.Hook, isQuiet: Bool, warn: @escaping @Sendable (String) -> Void
  ) throws(RunError) {
    self.command = command
    self.isQuiet = isQuiet
    self.warn = warn
    do throws(Errno) {
      (stopping, progress) = (try WakeEvent(), try WakeEvent())
      let thread = try JoinableThread { [self] in
        while true { run(state.wait { $0.next() }.facts) }
      }
      thread.detach()
    } catch {
      throw RunError(noThread: "for --on-event", error)
    }
  }

  /// Queues a run of the program for an event of the kinds that it is for.
  func put(_ event: LiveEvent) {
    guard command.kinds?.contains(event.name) != false else { return }
    put(event.facts, standing: event.standing)
  }

  /// Queues a run of the program for an event or, with a `standing`, for a state that has changed.
  func put(_ facts: Facts, standing: Standing? = nil) {
    let item = Item(standing: standing, facts: facts)
    let isFull = state.change { state in
      if state.isStopping { return false }
      if let standing {
        state.states.removeAll { $0.standing?.name == standing.name }
        // If the state is back at the value of the last run, the values in between no longer matter.
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

  /// Waits within `patience` until the program has run for everything, then ends the one that is running. No further
  /// program is started.
  ///
  /// - Returns: The number of events for which no program was run.
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

  /// Runs the program and returns what went wrong, as the rest of a sentence, or `nil`.
  ///
  /// It is not inlined: in the endless loop of the thread, Swift 6.3's loop-invariant code motion would never end.
  @inline(never)
  private func outcome(_ facts: Facts) -> String? {
    var run = ChildProcess.Command(command.program, command.arguments)
    (run.variables, run.endsWithThread) = (facts, true)
    let child: ChildProcess
    do { child = try ChildProcess(run, isQuiet: isQuiet) } catch { return error.description }
    let hasEnded = wait(for: child)
    if !hasEnded { child.end() }
    let end = child.wait(endingGroup: false)
    if hasEnded { return end.complaint }
    return state.change { $0.isStopping }
      ? "had not ended when vadmon did, and was ended"
      : "took longer than \(command.timeLimit.inWords), and was ended"
  }

  private func wait(for child: ChildProcess) -> Bool {
    let end = ContinuousClock.now + command.timeLimit
    while true {
      let left = (end - .now) / .milliseconds(1)
      let milliseconds = Int32(clamping: Int(max(0, left.rounded(.up))))
      if child.hasEnded(within: milliseconds, or: stopping) { return true }
      if left <= 0 || state.change({ $0.isStopping }) { return false }
    }
  }

  /// Issues a warning, each only once.
  private func complain(_ sentence: String) {
    let isNew = state.change { $0.complaints.insert(sentence).inserted }
    if isNew { warn("--on-event: \(command.program.nameAsInput) \(sentence)") }
  }
}
