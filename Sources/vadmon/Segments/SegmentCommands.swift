import Annotations
import Processes
import RealTime
import SystemPackage

/// The runner of the program for segments, several at a time, each on a thread of its own.
///
/// There is no shell. A segment waits in a queue of limited length, and the analysis waits while that is full: the
/// program is run for every segment, unless vadmon is interrupted.
final class SegmentCommands: Sendable {
  private struct Job {
    var arguments: [[UInt8]]
    var input: Input
    /// The segment for messages.
    var place: String
  }

  private struct State {
    var waiting: [Job] = []
    var runningCount = 0
    /// Whether no more segments follow.
    var isClosed = false
    var isStopped = false
    var count = 0
    /// How many runs went wrong, by what was wrong.
    var failures: [String: Int] = [:]
    var example: String?
    /// For how many segments the program was not run to its end.
    var missedCount = 0
    /// How many segments of an input wait or have a program that runs.
    var openCounts: [Input: Int] = [:]
    /// The inputs with a segment for which the program has failed or was not run to its end.
    var failedInputs: Set<Input> = []

    mutating func miss(_ input: Input) {
      missedCount += 1
      failedInputs.insert(input)
    }

    mutating func close(_ job: Job) {
      let count = openCounts[job.input, default: 0]
      openCounts[job.input] = count > 1 ? count - 1 : nil
    }
  }

  private let command: CommandArgument
  private let kind: String
  private let isQuiet: Bool
  private let limit: Int
  private let state = Guarded(State())

  /// Starts the threads, or as many as the system allows.
  ///
  /// - Parameters:
  ///   - kind: What segments are.
  ///   - isQuiet: Whether the program's output is discarded. Otherwise it goes to standard error, because standard
  ///     output is for results.
  init(
    _ command: CommandArgument, kind: String, jobs: Int, isQuiet: Bool
  ) throws(RunError) {
    (self.command, self.kind, self.isQuiet, limit) = (command, kind, isQuiet, 2 * jobs)
    let started = (0..<jobs).filter { _ in
      JoinableThread.startDetached { [self] in
        while let job = next() { finish(job, outcome(job)) }
      }
    }
    if started.isEmpty { throw RunError(noThread: "for --exec") }
  }

  /// Queues a run of the program for a segment, unless it takes the segment's file and there is none, because saving
  /// has failed. Waits while the queue is full.
  ///
  /// - Parameters:
  ///   - index: The number of the segment, from 1.
  ///   - saved: Its file. The names of files need not be text, so they are not taken from the record.
  func put(_ span: SpanRecord, index: Int, of input: Input, saved: FilePath?) {
    if saved == nil, command.has(.saved) { return }
    let arguments = command.arguments { field in
      switch field {
      case .file: (input.path ?? "-").text
      case .stem: input.stem ?? ""
      case .saved: saved?.text ?? ""
      default: span.value(of: field, kind: kind, index: index)
      }
    }
    let place = "\(span.start.clock) of \(RecordingName.shown(span.file))"
    let job = Job(arguments: arguments, input: input, place: place)
    state.wait { state -> Void? in
      if state.isStopped { return state.miss(input) }
      guard state.waiting.count < limit else { return nil }
      state.waiting.append(job)
      state.openCounts[input, default: 0] += 1
      return ()
    }
  }

  /// Waits until the program has ended for all segments of an input, and returns whether it has succeeded for each.
  func haveSucceeded(for input: Input) -> Bool {
    state.wait { state in
      state.openCounts[input] == nil ? !state.failedInputs.contains(input) : nil
    }
  }

  /// Ends the programs that run, and starts no more.
  func stop() {
    state.change { state in
      state.isStopped = true
      for job in state.waiting {
        state.close(job)
        state.miss(job.input)
      }
      state.waiting = []
    }
  }

  /// Waits until the program has run for all segments, of which no more follow.
  ///
  /// - Returns: What went wrong, and for how many segments the program was not run.
  func finish() -> (failure: String?, missedCount: Int) {
    state.change { $0.isClosed = true }
    return state.wait { state in
      guard state.waiting.isEmpty, state.runningCount == 0 else { return nil }
      return (failure(state), state.missedCount)
    }
  }

  private func failure(_ state: State) -> String? {
    guard let first = state.example else { return nil }
    let kinds = state.failures.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map {
      "\($0.key) for \($0.value)"
    }
    return
      "--exec: \(printable(command.program)) \(kinds.joined(separator: ", ")) of \(state.count) segments, one of them at \(first)"
  }
}

// MARK: - The threads

extension SegmentCommands {
  private func next() -> Job? {
    state.wait { state -> Job?? in
      guard !state.waiting.isEmpty else {
        return state.isClosed || state.isStopped ? .some(nil) : nil
      }
      state.runningCount += 1
      state.count += 1
      return state.waiting.removeFirst()
    }
  }

  private func finish(_ job: Job, _ complaint: String?) {
    state.change { state in
      state.runningCount -= 1
      state.close(job)
      guard let complaint else { return }
      if state.isStopped {
        state.miss(job.input)
      } else {
        state.failedInputs.insert(job.input)
        state.failures[complaint, default: 0] += 1
        state.example = state.example ?? job.place
      }
    }
  }

  /// Runs the program and returns what went wrong, as the rest of a sentence, or `nil`.
  private func outcome(_ job: Job) -> String? {
    var run = ChildProcess.Command(command.program, job.arguments)
    run.endsWithThread = true
    let child: ChildProcess
    do { child = try ChildProcess(run, isQuiet: isQuiet) } catch { return error.description }
    // Nothing else ends the wait when vadmon is interrupted.
    while !child.hasEnded(within: 200) {
      if state.change({ $0.isStopped }) {
        child.end(grace: 2000)
        break
      }
    }
    return child.wait(endingGroup: false).complaint
  }
}
