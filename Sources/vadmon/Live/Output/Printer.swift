import AudioInput
import Glibc
import SystemPackage
import VoiceActivity

/// A thread that prints, so that nobody else ever waits for whoever reads: a full pipe, a terminal after Ctrl-S or a
/// disk that hangs holds up this thread alone.
///
/// Jobs wait in a queue of bounded length, in order. Jobs that show a state replace one another while they wait. A
/// thread that hangs is abandoned when the program ends.
///
/// Threads: any may put jobs; one finishes.
final class Printer: Sendable {
  typealias Job = @Sendable () throws(OutputError) -> Void

  private struct Waiting {
    /// `nil`: is printed whatever comes after it.
    var state: String?
    var job: Job
  }

  private struct State {
    var waiting: [Waiting] = []
    var printing: Waiting?
    var failure: OutputError?
  }

  /// How many jobs wait at most: events of minutes, in about a megabyte.
  static let capacity = 4096
  private static let longestWork = Duration.seconds(5)

  private let descriptor: FileDescriptor
  private let onFailure: @Sendable (OutputError) -> Void
  private let progress: WakeEvent
  private let state = Guarded(State())

  /// - Parameters:
  ///   - descriptor: Where the jobs print.
  ///   - onFailure: Called once, on the printer's thread, with the first thing that goes wrong; nothing is printed
  ///     after that.
  init(
    _ descriptor: FileDescriptor, onFailure: @escaping @Sendable (OutputError) -> Void = { _ in }
  ) throws(RunError) {
    self.descriptor = descriptor
    self.onFailure = onFailure
    do {
      progress = try WakeEvent()
      let thread = try JoinableThread { [self] in while true { print(next()) } }
      thread.detach()
    } catch {
      throw RunError(
        "cannot start a thread that prints: raise the limit on processes (ulimit -u)",
        exitCode: ExitStatus.unavailable)
    }
  }

  /// `false` if the queue is full: the job is not done.
  func put(_ job: @escaping Job) -> Bool {
    state.change { state in
      guard state.waiting.count < Self.capacity else { return false }
      if state.failure == nil { state.waiting.append(Waiting(state: nil, job: job)) }
      return true
    }
  }

  /// Puts a job that shows how something stands: one that still waits to show the same thing is not done.
  func put(newest job: @escaping Job, of name: String) {
    state.change { state in
      state.waiting.removeAll { $0.state == name }
      if state.failure == nil { state.waiting.append(Waiting(state: name, job: job)) }
    }
  }

  /// Waits until everything is printed, or patience is over. After that only for a descriptor that takes bytes: there
  /// the thread has not got round to it on a busy machine.
  ///
  /// - Returns: How many jobs were not done; states do not count.
  func finish(_ patience: Patience) throws(OutputError) -> Int {
    let limit = Patience(Self.longestWork)
    while isBusy, !patience.isOver || takesBytes && !limit.isOver { progress.wait(atMost: 10) }
    if let failure = state.change({ $0.failure }) { throw failure }
    return state.change { state in
      (state.waiting + [state.printing].compactMap(\.self)).count { $0.state == nil }
    }
  }

  private var isBusy: Bool { state.change { $0.printing != nil || !$0.waiting.isEmpty } }

  /// The descriptor would take something now; the thread just has not got round to it.
  private var takesBytes: Bool {
    var polled = pollfd(fd: descriptor.rawValue, events: Int16(POLLOUT), revents: 0)
    return poll(&polled, 1, 0) == 1
  }

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
      guard let failure, state.failure == nil else { return false }
      state.failure = failure
      state.waiting = []
      return true
    }
    if let failure, isFirst { onFailure(failure) }
    progress.signal()
  }
}
