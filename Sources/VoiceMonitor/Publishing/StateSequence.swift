internal import RealTime

/// A value that changes, for any number of observers. A state is conflated: a slow observer misses intermediate values
/// but never the last one.
typealias StateBroadcaster<Value: Sendable & Equatable> = Broadcaster<NewestValue<Value>>

/// A value that changes: its present value, and its changes as a sequence.
///
/// ```swift
/// if monitor.isSpeakingWhileMuted.value { … }
/// for await isSpeaking in monitor.isSpeakingWhileMuted { … }
/// ```
/// Each loop receives the present value at once, whenever it begins, and then every change; two successive values are
/// never equal. A slow loop receives the newest value, misses those in between, and delays nobody. A loop
/// ends after the last value when the publisher has ended or is gone, and when its task is cancelled.
///
/// Threads: any.
public struct StateSequence<Value: Sendable & Equatable>: AsyncSequence, Sendable {
  public typealias Element = Value
  public typealias Failure = Never

  private let state: StateBroadcaster<Value>.State

  /// Creates the sequence that observers read. It does not keep the broadcaster alive.
  init(_ broadcaster: StateBroadcaster<Value>) { state = broadcaster.state }

  /// The present value.
  public var value: Value { state.change { $0.fresh.newest } }

  public func makeAsyncIterator() -> Iterator { Iterator(subscription: Subscription(state)) }

  /// The position of one loop in the sequence.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let subscription: Subscription<NewestValue<Value>>

    /// Returns the next value, waiting for it if need be; `nil` at the end and when the task is cancelled.
    public mutating func next(isolation: isolated (any Actor)? = #isolation) async -> Value? {
      await subscription.next(isolation: isolation)
    }
  }
}
