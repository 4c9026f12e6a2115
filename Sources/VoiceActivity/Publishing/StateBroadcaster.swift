/// A value that changes, for any number of observers.
///
/// A state is conflated: a slow observer misses intermediate values but never the last one, and nobody waits for it.
/// Setting a value does not allocate. Waking the observers that wait does allocate, inside libdispatch, so it is a
/// separate call.
///
/// Threads: any.
final class StateBroadcaster<Value: Sendable & Equatable>: Sendable {
  /// An observer that waits for a change.
  fileprivate struct Waiter {
    let id: ObjectIdentifier
    let continuation: CheckedContinuation<Void, Never>
  }

  fileprivate struct State {
    var value: Value
    /// A number that grows with every change.
    var version: UInt64 = 0
    var isFinished = false
    var waiters: [Waiter] = []
  }

  fileprivate let state: Guarded<State>

  init(_ value: Value) { state = Guarded(State(value: value)) }

  deinit { finish() }

  /// The sequence that observers read. It does not keep the broadcaster alive.
  var values: StateSequence<Value> { StateSequence(state: state) }

  /// Sets the value, unless it is equal or the broadcaster is finished. Returns whether ``wake()`` must be called.
  func set(_ value: Value) -> Bool {
    state.change { state in
      guard value != state.value, !state.isFinished else { return false }
      state.value = value
      state.version += 1
      return !state.waiters.isEmpty
    }
  }

  /// Wakes the observers that wait. Allocates.
  func wake() {
    let waiters = state.change { state in
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.continuation.resume() }
  }

  /// Ends the sequences after the present value.
  func finish() {
    state.change { $0.isFinished = true }
    wake()
  }
}

/// A value that changes: its present value, and its changes as a sequence.
///
/// ```swift
/// if monitor.isSpeakingWhileMuted.value { … }
/// for await isSpeaking in monitor.isSpeakingWhileMuted { … }
/// ```
/// Each loop receives the present value at once, whenever it begins, and then every change; two successive values are
/// never equal. A slow loop receives the newest value, misses those in between, and delays nobody. A loop
/// ends after the last value when the monitor has ended or is gone, and when its task is cancelled.
///
/// Threads: any.
public struct StateSequence<Value: Sendable & Equatable>: AsyncSequence, Sendable {
  public typealias Element = Value
  public typealias Failure = Never

  fileprivate let state: Guarded<StateBroadcaster<Value>.State>

  /// The present value.
  public var value: Value { state.change { $0.value } }

  public func makeAsyncIterator() -> Iterator { Iterator(state: state) }

  /// The position of one loop in the sequence.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let state: Guarded<StateBroadcaster<Value>.State>
    /// The value delivered last and the version last seen. A change that was taken back since counts as no change.
    private var last: (value: Value, version: UInt64)?
    private let id = Identity()

    fileprivate init(state: Guarded<StateBroadcaster<Value>.State>) { self.state = state }

    /// Returns the next value, waiting for it if need be; `nil` at the end and when the task is cancelled.
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

    /// Waits until the version differs, the broadcaster is finished or the task is cancelled.
    private func change(since version: UInt64, isolation: isolated (any Actor)?) async {
      await withTaskCancellationHandler {
        await withCheckedContinuation(isolation: isolation) { continuation in
          state.change { state in
            // If the task was cancelled before this point, its handler has already run and found no waiter.
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
  /// An object that distinguishes one iterator from others.
  private final class Identity: Sendable {}
}
