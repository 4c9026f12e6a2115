import VoiceActivity

/// Hands inputs to workers and their records, in the order of the inputs, to one collector.
///
/// Workers may be ahead of the collector by `readAhead` inputs and, within an input, by `recordLimit`
/// records; then they wait. So the memory does not grow with the number of inputs or their length. The
/// input that the collector is at is always being worked on, so nobody waits for ever.
final class OrderedResults: Sendable {
  /// An input and its place among them, from 0.
  struct Assignment: Sendable {
    var index: Int
    var input: Input
  }

  /// A piece of what the collector gets.
  struct Batch: Sendable {
    var input: Input
    var records: [Record]
    /// No more records of this input will come.
    var isLast: Bool
  }

  private struct State {
    /// The input that the next free worker gets.
    var next = 0
    /// The input that the collector is at.
    var head = 0
    var isClosed = false
    /// Those from `head` up to `next`.
    var inputs: [Int: Input] = [:]
    var waiting: [Int: [Record]] = [:]
    var finished: Set<Int> = []
  }

  private let nextInput: @Sendable () -> Input?
  private let readAhead: Int
  private let recordLimit: Int
  private let state = Guarded(State())
  /// Who has it takes the next input, so that inputs that have to be waited for keep their order.
  private let turn = Guarded(())

  /// `nextInput` is called by one worker at a time, and may wait; after the last input it gives `nil`.
  init(readAhead: Int, recordLimit: Int = 4096, nextInput: @escaping @Sendable () -> Input?) {
    self.nextInput = nextInput
    self.readAhead = max(1, readAhead)
    self.recordLimit = recordLimit
  }

  /// The next input to work on; waits while the collector is too far behind. `nil`: there is no more.
  func take() -> Assignment? {
    turn.change { _ in
      guard waitForRoom(), let input = nextInput() else {
        close()
        return nil
      }
      return begin(input)
    }
  }

  /// `false`: nothing is begun any more.
  private func waitForRoom() -> Bool {
    state.wait { state in
      if state.isClosed { return false }
      return state.next < state.head + readAhead ? true : nil
    }
  }

  private func begin(_ input: Input) -> Assignment? {
    state.change { state in
      // An interruption may have come while the input was waited for.
      if state.isClosed { return nil }
      defer { state.next += 1 }
      state.inputs[state.next] = input
      return Assignment(index: state.next, input: input)
    }
  }

  /// Adds a record; waits while too many of this input have not been collected.
  func add(_ record: Record, of index: Int) {
    state.wait { state -> Void? in
      guard state.waiting[index, default: []].count < recordLimit else { return nil }
      state.waiting[index, default: []].append(record)
      return ()
    }
  }

  func finish(_ index: Int) { state.change { _ = $0.finished.insert(index) } }

  /// No further input is begun; those that are being worked on are collected.
  func close() { state.change { $0.isClosed = true } }

  /// Inputs that were handed to workers so far.
  var takenCount: Int { state.change { $0.next } }

  /// What the collector gets next, waiting for it if need be; `nil` after the last input.
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
