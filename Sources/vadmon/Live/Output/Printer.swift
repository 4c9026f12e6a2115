import AudioInput
import Glibc
import RealTime
import SystemPackage

/// A thread that prints, so that a full pipe, a terminal after Ctrl-S or a disk that hangs blocks this thread only.
///
/// Jobs wait in order in a bounded queue. A waiting job that shows a state is replaced by a newer job for the same
/// state. A thread that hangs is abandoned when the program ends.
///
/// Threads: any thread may put jobs; one thread calls `finish(_:)`.
final class Printer: Sendable {
  typealias Job = @Sendable () throws(OutputError) -> Void

  private struct Waiting {
    /// The name of the state that the job shows; `nil` for a job that is never replaced.
    var state: String?
    var job: Job
  }

  private struct State {
    var waiting: [Waiting] = []
    var printing: Waiting?
    var failure: OutputError?
    /// The number of jobs done.
    var doneCount = 0
  }

  /// The maximum number of waiting jobs: the events of several minutes, in about 1 MB.
  static let capacity = 4096
  private static let longestWork = Duration.seconds(5)
  /// How long a line may take on a disk that works, before it counts as hanging.
  private static let longestWrite = Duration.milliseconds(100)

  private let descriptor: FileDescriptor
  /// Whether this is a file, which poll(2) reports as ready even if its disk hangs.
  private let isFile: Bool
  private let onFailure: @Sendable (OutputError) -> Void
  private let progress: WakeEvent
  private let state = Guarded(State())

  /// Starts the thread.
  ///
  /// - Parameters:
  ///   - descriptor: The file that the jobs print to.
  ///   - onFailure: Called once, on the printer's thread, with the first error, after which nothing is printed.
  init(
    _ descriptor: FileDescriptor, onFailure: @escaping @Sendable (OutputError) -> Void = { _ in }
  ) throws(RunError) {
    self.descriptor = descriptor
    isFile = descriptor.isFile
    self.onFailure = onFailure
    do throws(Errno) {
      progress = try WakeEvent()
      let thread = try JoinableThread { [self] in while true { print(next()) } }
      thread.detach()
    } catch {
      throw RunError(noThread: "that prints", error)
    }
  }

  /// Queues a job. Returns `false` if the queue is full and the job was not queued.
  func put(_ job: @escaping Job) -> Bool {
    state.change { state in
      guard state.waiting.count < Self.capacity else { return false }
      if state.failure == nil { state.waiting.append(Waiting(state: nil, job: job)) }
      return true
    }
  }

  /// Queues a job that shows a state. It replaces a waiting job for the same state.
  func put(newest job: @escaping Job, of name: String) {
    state.change { state in
      state.waiting.removeAll { $0.state == name }
      if state.failure == nil { state.waiting.append(Waiting(state: name, job: job)) }
    }
  }

  /// Waits until everything is printed or `patience` is over. After that, it continues to wait, for at most 5 s, only
  /// while the descriptor accepts bytes or, for a file, while jobs are being done: the thread is then merely slow on a
  /// busy machine.
  ///
  /// - Returns: The number of jobs that were not done, without jobs that show states.
  func finish(_ patience: Patience) throws(OutputError) -> Int {
    let limit = Patience(Self.longestWork)
    var (doneCount, doneAt) = (0, ContinuousClock.now)
    while isBusy {
      if patience.isOver {
        let count = state.change { $0.doneCount }
        if count != doneCount { (doneCount, doneAt) = (count, .now) }
        let isSlow = isFile ? doneAt + Self.longestWrite > .now : descriptor.takesBytes()
        guard isSlow, !limit.isOver else { break }
      }
      progress.wait(atMost: 10)
    }
    if let failure = state.change({ $0.failure }) { throw failure }
    return state.change { state in
      (state.waiting + [state.printing].compactMap(\.self)).count { $0.state == nil }
    }
  }

  private var isBusy: Bool { state.change { $0.printing != nil || !$0.waiting.isEmpty } }

  private func next() -> Job {
    state.wait { state in
      guard !state.waiting.isEmpty else { return nil }
      let next = state.waiting.removeFirst()
      state.printing = next
      return next.job
    }
  }

  private func print(_ job: Job) {
    var failure: OutputError?
    do throws(OutputError) {
      try job()
    } catch {
      failure = error
    }
    let isFirst = state.change { state in
      state.printing = nil
      state.doneCount += 1
      guard let failure, state.failure == nil else { return false }
      state.failure = failure
      state.waiting = []
      return true
    }
    if let failure, isFirst { onFailure(failure) }
    progress.signal()
  }
}
