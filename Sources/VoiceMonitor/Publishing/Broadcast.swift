/// The observers of one publisher, each with a mailbox and a waiter: a state machine without a lock or a clock.
///
/// It resumes nobody. Methods return the waiters to resume, and the caller resumes them after it has released its lock.
struct Broadcast<Box: Mailbox, Waiter: Sendable>: Sendable {
  typealias ObserverID = UInt64

  /// The result of an attempt to take an element.
  enum Outcome {
    case element(Box.Element)
    /// Nothing yet: wait, then try again.
    case empty
    /// Nothing will be sent any more.
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

  /// The mailbox that a new observer receives.
  private(set) var fresh: Box
  private(set) var isFinished = false
  private var observers: [Observer] = []
  private var lastID: ObserverID = 0

  init(fresh: Box) {
    self.fresh = fresh
    // Swift allocates an array's type at its first use. That must not be in `send`, which the analysis calls.
    observers.reserveCapacity(1)
  }

  // MARK: Observers

  /// Whether an observer waits, for tests.
  var isAwaited: Bool { observers.contains { $0.waiter != nil } }

  mutating func subscribe() -> ObserverID {
    lastID += 1
    observers.append(Observer(id: lastID, box: fresh.forNewObserver()))
    return lastID
  }

  mutating func unsubscribe(_ id: ObserverID) { observers.removeAll { $0.id == id } }

  mutating func take(_ id: ObserverID) -> Outcome {
    guard let index = index(of: id) else { return .finished }
    if let element = observers[index].box.take() { return .element(element) }
    return isFinished ? .finished : .empty
  }

  /// Keeps the waiter until there is something to take. Returns the waiter if it need not wait.
  mutating func wait(_ id: ObserverID, _ waiter: Waiter) -> Waiter? {
    guard !isFinished, let index = index(of: id), observers[index].box.isEmpty else {
      return waiter
    }
    precondition(observers[index].waiter == nil, "one loop reads a sequence")
    observers[index].waiter = waiter
    return nil
  }

  /// Removes and returns the observer's waiter.
  mutating func stopWaiting(_ id: ObserverID) -> Waiter? {
    index(of: id).flatMap { observers[$0].takeWaiter() }
  }

  // MARK: The source

  /// Puts an element into every mailbox. Returns whether ``wake()`` must be called. Does not allocate.
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

  /// Removes and returns the waiters that have something to take.
  mutating func wake() -> [Waiter] {
    observers.indices.compactMap { index in
      observers[index].box.isEmpty && !isFinished ? nil : observers[index].takeWaiter()
    }
  }

  /// Ends the sequences after the elements in the mailboxes. Returns all waiters.
  mutating func finish() -> [Waiter] {
    isFinished = true
    return wake()
  }

  private func index(of id: ObserverID) -> Int? { observers.firstIndex { $0.id == id } }
}
