/// A broadcaster that sends every event to each of its observers.
///
/// Threads: any. Sending does not allocate. Waking the observers that wait does allocate, so it is a separate call.
final class EventBroadcaster: Sendable {
  private struct State {
    var queues: [EventQueue] = []
    var isFinished = false
  }

  private let state = Guarded(State())
  private let capacity: Int

  init(capacity: Int) { self.capacity = max(2, capacity) }

  deinit { finish() }

  /// Adds an observer, which receives what is sent from now on.
  func subscribe() -> EventSequence {
    let queue = EventQueue(capacity: capacity)
    state.change { state in
      state.queues.removeAll(where: \.isAbandoned)
      if state.isFinished { queue.finish() } else { state.queues.append(queue) }
    }
    return EventSequence(Subscription(queue: queue))
  }

  /// Queues an event for every observer. Returns whether ``wake()`` must be called.
  func send(_ event: MonitorEvent) -> Bool {
    state.change { state in
      var isWakeDue = false
      for queue in state.queues where queue.push(event) { isWakeDue = true }
      return isWakeDue
    }
  }

  /// Wakes the observers that wait. Allocates.
  func wake() { for queue in state.change({ $0.queues }) { queue.wake() } }

  func finish() {
    let queues = state.change { state in
      state.isFinished = true
      defer { state.queues = [] }
      return state.queues
    }
    for queue in queues { queue.finish() }
  }
}

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

  private let subscription: Subscription

  fileprivate init(_ subscription: Subscription) { self.subscription = subscription }

  public func makeAsyncIterator() -> Iterator { Iterator(subscription: subscription) }

  /// The position of one loop in the sequence.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let subscription: Subscription

    /// Returns the next event, waiting for it if need be; `nil` at the end and when the task is cancelled.
    public mutating func next(
      isolation: isolated (any Actor)? = #isolation
    ) async -> MonitorEvent? {
      await subscription.queue.pop(isolation: isolation)
    }
  }
}

/// An observer's hold on its queue. Nothing is queued once nobody holds it.
private final class Subscription: Sendable {
  let queue: EventQueue

  init(queue: EventQueue) { self.queue = queue }

  deinit { queue.abandon() }
}

/// The events that an observer has not read yet: a ring of fixed size.
private final class EventQueue: Sendable {
  private struct State {
    var events: [MonitorEvent?]
    var first = 0
    var count = 0
    /// The number of events dropped after the last one in the queue, and the newest of them.
    var dropped: (count: Int, last: MonitorEvent)?
    var isFinished = false
    var isAbandoned = false
    var waiter: CheckedContinuation<Void, Never>?

    mutating func append(_ event: MonitorEvent) {
      events[(first + count) % events.count] = event
      count += 1
    }

    mutating func removeFirst() -> MonitorEvent? {
      guard count > 0 else { return takeDropped() }
      defer {
        first = (first + 1) % events.count
        count -= 1
      }
      return events[first]
    }

    mutating func takeDropped() -> MonitorEvent? {
      guard let (count, last) = dropped else { return nil }
      dropped = nil
      return MonitorEvent(
        kind: .dropped(count: count), position: last.position, decidedAt: last.decidedAt)
    }
  }

  private let state: Guarded<State>

  init(capacity: Int) {
    state = Guarded(State(events: Array(repeating: nil, count: capacity)))
  }

  var isAbandoned: Bool { state.change { $0.isAbandoned } }

  /// Appends an event or counts it as dropped. Returns whether the observer waits.
  func push(_ event: MonitorEvent) -> Bool {
    state.change { state in
      guard !state.isAbandoned else { return false }
      let room = state.events.count - state.count
      if room >= (state.dropped == nil ? 1 : 2) {
        if let dropped = state.takeDropped() { state.append(dropped) }
        state.append(event)
      } else {
        state.dropped = ((state.dropped?.count ?? 0) + 1, event)
      }
      return state.waiter != nil
    }
  }

  func wake() {
    let waiter = state.change { state in
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume()
  }

  func finish() {
    state.change { $0.isFinished = true }
    wake()
  }

  func abandon() { state.change { $0.isAbandoned = true } }

  func pop(isolation: isolated (any Actor)?) async -> MonitorEvent? {
    while !Task.isCancelled {
      let (event, isFinished) = state.change { ($0.removeFirst(), $0.isFinished) }
      if event != nil || isFinished { return event }
      await something(isolation: isolation)
    }
    return nil
  }

  /// Waits until there is something to take, the sequence is finished or the task is cancelled.
  private func something(isolation: isolated (any Actor)?) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation(isolation: isolation) { continuation in
        state.change { state in
          precondition(state.waiter == nil, "one loop reads an EventSequence")
          // If the task was cancelled before this point, its handler has already run and found no waiter.
          guard state.count == 0, state.dropped == nil, !state.isFinished, !Task.isCancelled else {
            return continuation.resume()
          }
          state.waiter = continuation
        }
      }
    } onCancel: {
      wake()
    }
  }
}
