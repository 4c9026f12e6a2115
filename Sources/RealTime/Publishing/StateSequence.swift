/// A value that changes, for any number of observers. A state is conflated: a slow observer misses values in between,
/// never the last one.
package typealias StateBroadcaster<Value: Sendable & Equatable> = Broadcaster<NewestValue<Value>>

/// A value to look at, and to wait for the changes of.
///
/// ```swift
/// if monitor.isSpeakingWhileMuted.value { … }
/// for await isSpeaking in monitor.isSpeakingWhileMuted { … }
/// ```
/// Each loop gets the present value at once, whenever it begins, and then each change. Two consecutive values are never
/// equal. A slow loop gets the newest value and misses those in between; it holds up nobody. The loop ends after the last
/// value when the publisher has ended or is gone, and when its task is cancelled.
///
/// Threads: any.
public struct StateSequence<Value: Sendable & Equatable>: AsyncSequence, Sendable {
  public typealias Element = Value
  public typealias Failure = Never

  private let state: StateBroadcaster<Value>.State

  /// Does not keep the broadcaster alive.
  package init(_ broadcaster: StateBroadcaster<Value>) { state = broadcaster.state }

  /// The present value.
  public var value: Value { state.change { $0.fresh.newest } }

  public func makeAsyncIterator() -> Iterator { Iterator(subscription: Subscription(state)) }

  /// Where one loop stands.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let subscription: Subscription<NewestValue<Value>>

    /// The next value; `nil` when there is none any more.
    public mutating func next(isolation: isolated (any Actor)? = #isolation) async -> Value? {
      await subscription.next(isolation: isolation)
    }
  }
}
