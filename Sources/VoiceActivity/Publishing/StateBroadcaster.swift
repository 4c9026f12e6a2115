/// A value that changes, for any number of observers.
///
/// A state is conflated: an observer that is slow misses values in between, never the last one, and
/// nobody waits for it. Setting a value does not allocate; waking those who wait for one does, inside
/// libdispatch, and is apart for that reason.
///
/// Threads: any.
final class StateBroadcaster<Value: Sendable & Equatable>: Sendable {
  /// Who waits for a change.
  fileprivate struct Waiter {
    let id: ObjectIdentifier
    let continuation: CheckedContinuation<Void, Never>
  }

  fileprivate struct State {
    var value: Value
    /// Rises with every change.
    var version: UInt64 = 0
    var isFinished = false
    var waiters: [Waiter] = []
  }

  fileprivate let state: Guarded<State>

  init(_ value: Value) { state = Guarded(State(value: value)) }

  deinit { finish() }

  /// The sequence that observers see. It does not keep the broadcaster alive.
  var values: StateSequence<Value> { StateSequence(state: state) }

  /// Sets a value, unless it equals the present one or all is over. Returns whether ``wake()`` is due.
  func set(_ value: Value) -> Bool {
    state.change { state in
      guard value != state.value, !state.isFinished else { return false }
      state.value = value
      state.version += 1
      return !state.waiters.isEmpty
    }
  }

  /// Lets those who wait look again.
  func wake() {
    let waiters = state.change { state in
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.continuation.resume() }
  }

  /// The present value is the last.
  func finish() {
    state.change { $0.isFinished = true }
    wake()
  }
}

/// A value to look at, and to wait for the changes of.
///
/// ```swift
/// if monitor.isSpeakingWhileMuted.value { … }
/// for await isSpeaking in monitor.isSpeakingWhileMuted { … }
/// ```
/// Each loop gets the present value at once, whenever it begins, and then what changed; two values that
/// follow each other are never equal. A loop that is slow gets the newest value and misses those in
/// between; it holds up nobody. It ends after the last value when the monitor has ended or is gone, and
/// when its task is cancelled.
///
/// Threads: any.
public struct StateSequence<Value: Sendable & Equatable>: AsyncSequence, Sendable {
  public typealias Element = Value
  public typealias Failure = Never

  fileprivate let state: Guarded<StateBroadcaster<Value>.State>

  /// The present value.
  public var value: Value { state.change { $0.value } }

  public func makeAsyncIterator() -> Iterator { Iterator(state: state) }

  /// Where one loop stands.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let state: Guarded<StateBroadcaster<Value>.State>
    /// What was delivered last, and the version that was seen: what changed and changed back is no change.
    private var last: (value: Value, version: UInt64)?
    private let id = Identity()

    fileprivate init(state: Guarded<StateBroadcaster<Value>.State>) { self.state = state }

    /// The next value; `nil` when there is none any more.
    public mutating func next(isolation: isolated (any Actor)? = #isolation) async -> Value? {
      while !Task.isCancelled {
        let (value, version, isFinished) = state.change { ($0.value, $0.version, $0.isFinished) }
        let isNew = last.map { $0.value != value } ?? true
        last = (value, version)
        if isNew { return value }
        if isFinished { return nil }
        await change(since: version, isolation: isolation)
      }
      return nil
    }

    /// Waits until the version is another, all is over or the task is cancelled.
    private func change(since version: UInt64, isolation: isolated (any Actor)?) async {
      await withTaskCancellationHandler {
        await withCheckedContinuation(isolation: isolation) { continuation in
          state.change { state in
            // A task that was cancelled before this has had its handler, which found nobody.
            guard state.version == version, !state.isFinished, !Task.isCancelled else {
              return continuation.resume()
            }
            state.waiters.append(.init(id: ObjectIdentifier(id), continuation: continuation))
          }
        }
      } onCancel: { [state, id] in
        state.change { state in
          guard let index = state.waiters.firstIndex(where: { $0.id == ObjectIdentifier(id) })
          else { return }
          state.waiters.remove(at: index).continuation.resume()
        }
      }
    }
  }
}

extension StateSequence.Iterator {
  /// Tells an iterator from others.
  private final class Identity: Sendable {}
}
