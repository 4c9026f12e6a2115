internal import RealTime

/// What happens, as it happens.
///
/// ```swift
/// let events = monitor.events  // from here on nothing is missed
/// for await event in events { … }
/// ```
/// The observer has a queue of its own, of ``VoiceActivityMonitor/Configuration/eventCapacity`` events. If it is so slow
/// that the queue is full, newer events are dropped, and in their place comes one ``MonitorEvent/Kind/dropped(count:)``.
/// The loop ends when the monitor has ended and all was read, or when its task is cancelled.
///
/// One loop reads it; take ``VoiceActivityMonitor/events`` again for another.
public struct EventSequence: AsyncSequence, Sendable {
  public typealias Element = MonitorEvent
  public typealias Failure = Never

  private let subscription: Subscription<EventQueue>

  init(_ subscription: Subscription<EventQueue>) { self.subscription = subscription }

  public func makeAsyncIterator() -> Iterator { Iterator(subscription: subscription) }

  /// Where one loop stands.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let subscription: Subscription<EventQueue>

    /// The next event; `nil` when there is none any more.
    public mutating func next(isolation: isolated (any Actor)? = #isolation) async -> MonitorEvent?
    {
      await subscription.next(isolation: isolation)
    }
  }
}
