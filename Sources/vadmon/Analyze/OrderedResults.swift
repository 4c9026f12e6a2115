import Annotations
import RealTime

/// A queue that hands inputs to workers, and their records, in the order of the inputs, to one collector.
///
/// Workers can be at most `readAhead` inputs ahead of the collector and, within an input, at most `recordLimit`
/// records; then they wait. The memory therefore does not grow with the number of inputs or with their length. A worker
/// is always analysing the input that the collector waits for, so there is no deadlock.
final class OrderedResults: Sendable {
  /// An input and its position among all inputs, from 0.
  struct Assignment: Sendable {
    var index: Int
    var input: Input
  }

  /// Records of one input, handed to the collector together.
  struct Batch: Sendable {
    var input: Input
    var records: [Record]
    /// Whether no more records of this input follow.
    var isLast: Bool
  }

  private struct State {
    /// The position of the input that the next free worker takes.
    var next = 0
    /// The position of the input whose records the collector takes next.
    var head = 0
    var isClosed = false
    /// The inputs from `head` up to but not including `next`.
    var inputs: [Int: Input] = [:]
    var waiting: [Int: [Record]] = [:]
    var finished: Set<Int> = []
  }

  private let nextInput: @Sendable () -> Input?
  private let readAhead: Int
  private let recordLimit: Int
  private let state = Guarded(State())
  /// The lock that a worker holds while it takes the next input, so that inputs keep their order even when the next one
  /// has to be waited for.
  private let turn = Guarded(())

  /// Creates a queue over the inputs that `nextInput` returns.
  ///
  /// One worker at a time calls `nextInput`, which may block and returns `nil` after the last input.
  init(readAhead: Int, recordLimit: Int = 4096, nextInput: @escaping @Sendable () -> Input?) {
    self.nextInput = nextInput
    self.readAhead = max(1, readAhead)
    self.recordLimit = recordLimit
  }

  /// Returns the next input to analyse, or `nil` when there are no more. Waits while the collector is too far behind.
  func take() -> Assignment? {
    turn.change { _ in
      guard waitForRoom(), let input = nextInput() else {
        close()
        return nil
      }
      return begin(input)
    }
  }

  /// Waits until a worker may begin another input. Returns `false` after ``close()``.
  private func waitForRoom() -> Bool {
    state.wait { state in
      if state.isClosed { return false }
      return state.next < state.head + readAhead ? true : nil
    }
  }

  private func begin(_ input: Input) -> Assignment? {
    state.change { state in
      // The analysis may have been interrupted while this worker waited for the input.
      if state.isClosed { return nil }
      defer { state.next += 1 }
      state.inputs[state.next] = input
      return Assignment(index: state.next, input: input)
    }
  }

  /// Adds a record of the input at `index`. Waits while `recordLimit` of its records have not been collected.
  func add(_ record: Record, of index: Int) {
    state.wait { state -> Void? in
      guard state.waiting[index, default: []].count < recordLimit else { return nil }
      state.waiting[index, default: []].append(record)
      return ()
    }
  }

  /// Ends the records of the input at `index`.
  func finish(_ index: Int) { state.change { _ = $0.finished.insert(index) } }

  /// Prevents further inputs from being begun. Records of those in progress are still collected.
  func close() { state.change { $0.isClosed = true } }

  /// The number of inputs that workers have taken: the others follow them.
  var begunCount: Int { state.change { $0.next } }

  /// Returns the next batch, waiting for it if necessary, or `nil` after the last input.
  func collect() -> Batch? {
    state.wait { state -> Batch?? in
      let head = state.head
      guard let input = state.inputs[head] else { return state.isClosed ? .some(nil) : nil }
      let isFinished = state.finished.remove(head) != nil
      guard isFinished || state.waiting[head]?.isEmpty == false else { return nil }
      let records = state.waiting.removeValue(forKey: head) ?? []
      if isFinished {
        state.inputs[head] = nil
        state.head += 1
      }
      return Batch(input: input, records: records, isLast: isFinished)
    }
  }
}
