import VoiceActivity

/// Hands inputs to workers and their records, in the order of the inputs, to one collector.
///
/// Workers may be ahead of the collector by `readAhead` inputs and, within an input, by `recordLimit`
/// records; then they wait. So the memory does not grow with the number of inputs or their length. The
/// input that the collector is at is always being worked on, so nobody waits for ever.
final class OrderedResults: Sendable {
  /// A piece of what the collector gets.
  struct Batch: Sendable {
    var input: Int
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
    var waiting: [Int: [Record]] = [:]
    var finished: Set<Int> = []
  }

  private let count: Int
  private let readAhead: Int
  private let recordLimit: Int
  private let state = Guarded(State())

  init(count: Int, readAhead: Int, recordLimit: Int = 4096) {
    self.count = count
    self.readAhead = max(1, readAhead)
    self.recordLimit = recordLimit
  }

  /// The next input to work on; waits while the collector is too far behind. `nil`: there is no more.
  func take() -> Int? {
    let input: Int? = state.wait { state -> Int?? in
      if state.isClosed || state.next == count { return .some(nil) }
      guard state.next < state.head + readAhead else { return nil }
      state.next += 1
      return state.next - 1
    }
    return input
  }

  /// Adds a record; waits while too many of this input have not been collected.
  func add(_ record: Record, of input: Int) {
    state.wait { state -> Void? in
      guard state.waiting[input, default: []].count < recordLimit else { return nil }
      state.waiting[input, default: []].append(record)
      return ()
    }
  }

  func finish(_ input: Int) { state.change { _ = $0.finished.insert(input) } }

  /// No further input is begun; those that are being worked on are collected.
  func close() { state.change { $0.isClosed = true } }

  /// Inputs that were handed to workers so far.
  var takenCount: Int { state.change { $0.next } }

  /// What the collector gets next, waiting for it if need be; `nil` after the last input.
  func collect() -> Batch? {
    state.wait { state -> Batch?? in
      let head = state.head
      let isFinished = state.finished.contains(head)
      if head == (state.isClosed ? state.next : count) { return .some(nil) }
      guard isFinished || state.waiting[head]?.isEmpty == false else { return nil }
      let records = state.waiting.removeValue(forKey: head) ?? []
      if isFinished { state.head += 1 }
      return Batch(input: head, records: records, isLast: isFinished)
    }
  }
}
