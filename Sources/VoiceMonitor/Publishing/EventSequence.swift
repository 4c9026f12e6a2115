/// The events of a monitor, as they happen, for one observer.
///
/// ```swift
/// let events = monitor.events  // queues every event from here on
/// for await event in events { … }
/// ```
/// The observer has its own queue of ``VoiceActivityMonitor/Configuration/eventCapacity`` events. If the observer is so
/// slow that the queue is full, newer events are dropped, and one ``MonitorEvent/Kind/dropped(count:)`` takes their
/// place. The loop ends when the monitor has ended and every event was read, or when its task is cancelled.
///
/// One loop reads a sequence. Take ``VoiceActivityMonitor/events`` again for another loop.
public struct EventSequence: AsyncSequence, Sendable {
  public typealias Element = MonitorEvent
  public typealias Failure = Never

  private let subscription: Subscription<EventQueue>

  init(_ subscription: Subscription<EventQueue>) { self.subscription = subscription }

  public func makeAsyncIterator() -> Iterator { Iterator(subscription: subscription) }

  /// The position of one loop in the sequence.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let subscription: Subscription<EventQueue>

    /// Returns the next event, waiting for it if need be; `nil` at the end and when the task is cancelled.
    public mutating func next(isolation: isolated (any Actor)? = #isolation) async -> MonitorEvent?
    {
      await subscription.next(isolation: isolation)
    }
  }
}
