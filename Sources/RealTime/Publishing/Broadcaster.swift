/// Publishes elements to any number of observers, none of whom it waits for.
///
/// Sending does not allocate. Resuming a task does, inside libdispatch, and is apart for that reason.
///
/// Threads: any.
package final class Broadcaster<Box: Mailbox>: Sendable {
  typealias State = Guarded<Broadcast<Box, CheckedContinuation<Void, Never>>>

  let state: State

  /// - Parameter fresh: What an observer finds that subscribes before anything is sent.
  package init(fresh: Box) { state = State(Broadcast(fresh: fresh)) }

  deinit { finish() }

  /// A new observer. It does not keep the broadcaster alive.
  package func subscribe() -> Subscription<Box> { Subscription(state) }

  /// Returns whether ``wake()`` is due.
  package func send(_ element: Box.Element) -> Bool { state.change { $0.send(element) } }

  /// Lets those who wait look again.
  package func wake() { for waiter in state.change({ $0.wake() }) { waiter.resume() } }

  /// Observers read what they have, and no more comes.
  package func finish() { for waiter in state.change({ $0.finish() }) { waiter.resume() } }
}

/// An observer: once nobody has it, nothing more is kept for it. One loop reads it.
package final class Subscription<Box: Mailbox>: Sendable {
  private let state: Broadcaster<Box>.State
  private let id: UInt64

  init(_ state: Broadcaster<Box>.State) {
    self.state = state
    id = state.change { $0.subscribe() }
  }

  deinit { state.change { $0.unsubscribe(id) } }

  /// The next element; `nil` when there is none any more, or the task is cancelled.
  package func next(isolation: isolated (any Actor)?) async -> Box.Element? {
    while !Task.isCancelled {
      switch state.change({ $0.take(id) }) {
      case .element(let element): return element
      case .finished: return nil
      case .empty: await something(isolation: isolation)
      }
    }
    return nil
  }

  /// Waits until there is something to take, all is over or the task is cancelled.
  private func something(isolation: isolated (any Actor)?) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation(isolation: isolation) { continuation in
        let resumed = state.change { state in
          // A task that was cancelled before this has had its handler, which found nobody.
          Task.isCancelled ? continuation : state.wait(id, continuation)
        }
        resumed?.resume()
      }
    } onCancel: {
      state.change { $0.stopWaiting(id) }?.resume()
    }
  }
}
