/// The observers of one thing, the mailbox of each, and who waits: a state machine without a lock or a clock.
///
/// It resumes nobody. What returns waiters leaves that to its caller, who has let go of the lock by then.
package struct Broadcast<Box: Mailbox, Waiter: Sendable>: Sendable {
  package typealias ObserverID = UInt64

  /// What an observer finds when it looks.
  enum Outcome {
    case element(Box.Element)
    /// Wait, and look again.
    case empty
    /// Nothing will come any more.
    case finished
  }

  private struct Observer {
    let id: ObserverID
    var box: Box
    var waiter: Waiter?

    mutating func takeWaiter() -> Waiter? {
      defer { waiter = nil }
      return waiter
    }
  }

  /// The mailbox of an observer that subscribes now.
  private(set) var fresh: Box
  private(set) var isFinished = false
  private var observers: [Observer] = []
  private var lastID: ObserverID = 0

  package init(fresh: Box) { self.fresh = fresh }

  // MARK: Observers

  mutating func subscribe() -> ObserverID {
    lastID += 1
    observers.append(Observer(id: lastID, box: fresh))
    return lastID
  }

  mutating func unsubscribe(_ id: ObserverID) { observers.removeAll { $0.id == id } }

  mutating func take(_ id: ObserverID) -> Outcome {
    guard let index = index(of: id) else { return .finished }
    if let element = observers[index].box.take() { return .element(element) }
    return isFinished ? .finished : .empty
  }

  /// Keeps the waiter until there is something to take. Returns it if it need not wait.
  mutating func wait(_ id: ObserverID, _ waiter: Waiter) -> Waiter? {
    guard !isFinished, let index = index(of: id), observers[index].box.isEmpty else {
      return waiter
    }
    precondition(observers[index].waiter == nil, "one loop reads a sequence")
    observers[index].waiter = waiter
    return nil
  }

  /// Returns the observer's waiter, which waits no longer.
  mutating func stopWaiting(_ id: ObserverID) -> Waiter? {
    index(of: id).flatMap { observers[$0].takeWaiter() }
  }

  // MARK: The source

  /// Returns whether somebody waits for it: ``wake()`` is due. Does not allocate.
  mutating func send(_ element: Box.Element) -> Bool {
    guard !isFinished else { return false }
    if Box.replaysLast { fresh.put(element) }
    var isWakeDue = false
    for index in observers.indices {
      observers[index].box.put(element)
      if observers[index].waiter != nil && !observers[index].box.isEmpty { isWakeDue = true }
    }
    return isWakeDue
  }

  /// Returns those who waited and have something to take.
  mutating func wake() -> [Waiter] {
    observers.indices.compactMap { index in
      observers[index].box.isEmpty && !isFinished ? nil : observers[index].takeWaiter()
    }
  }

  /// Observers take what they have, and then find the end. Returns all who waited.
  mutating func finish() -> [Waiter] {
    isFinished = true
    return wake()
  }

  private func index(of id: ObserverID) -> Int? { observers.firstIndex { $0.id == id } }
}
