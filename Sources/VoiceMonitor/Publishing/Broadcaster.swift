internal import RealTime

/// A broadcaster that sends elements to any number of observers and waits for none of them.
///
/// Sending does not allocate. Waking the observers that wait does allocate, inside libdispatch, so it is a separate
/// call.
///
/// Threads: any.
final class Broadcaster<Box: Mailbox>: Sendable {
  typealias State = Guarded<Broadcast<Box, CheckedContinuation<Void, Never>>>

  let state: State

  /// Creates a broadcaster.
  ///
  /// - Parameter fresh: The mailbox of an observer that subscribes before anything is sent.
  init(fresh: Box) { state = State(Broadcast(fresh: fresh)) }

  deinit { finish() }

  /// Adds an observer. The subscription does not keep the broadcaster alive.
  func subscribe() -> Subscription<Box> { Subscription(state) }

  /// Sends an element to every observer. Returns whether ``wake()`` must be called.
  func send(_ element: Box.Element) -> Bool { state.change { $0.send(element) } }

  /// Wakes the observers that wait. Allocates.
  func wake() { for waiter in state.change({ $0.wake() }) { waiter.resume() } }

  /// Ends the sequences after what was sent.
  func finish() { for waiter in state.change({ $0.finish() }) { waiter.resume() } }
}

/// An observer's hold on its mailbox. Nothing is put into the mailbox once nobody holds it. One loop reads it.
final class Subscription<Box: Mailbox>: Sendable {
  private let state: Broadcaster<Box>.State
  private let id: UInt64

  init(_ state: Broadcaster<Box>.State) {
    self.state = state
    id = state.change { $0.subscribe() }
  }

  deinit { state.change { $0.unsubscribe(id) } }

  /// Returns the next element, waiting for it if need be; `nil` at the end and when the task is cancelled.
  func next(isolation: isolated (any Actor)?) async -> Box.Element? {
    while !Task.isCancelled {
      switch state.change({ $0.take(id) }) {
      case .element(let element): return element
      case .finished: return nil
      case .empty: await something(isolation: isolation)
      }
    }
    return nil
  }

  /// Waits until there is something to take, the sequence is finished or the task is cancelled.
  private func something(isolation: isolated (any Actor)?) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation(isolation: isolation) { continuation in
        let resumed = state.change { state in
          // If the task was cancelled before this point, its handler has already run and found no waiter.
          Task.isCancelled ? continuation : state.wait(id, continuation)
        }
        resumed?.resume()
      }
    } onCancel: {
      state.change { $0.stopWaiting(id) }?.resume()
    }
  }
}
