/// The events that an observer has not read yet: a ring of fixed size, so that adding one does not allocate.
struct EventQueue: Mailbox {
  static var replaysLast: Bool { false }

  private var events: [MonitorEvent?]
  private var first = 0
  private var count = 0
  /// The number of events dropped after the last one in the queue, and the newest of them.
  private var dropped: (count: Int, last: MonitorEvent)?

  init(capacity: Int) { events = Array(repeating: nil, count: max(2, capacity)) }

  var isEmpty: Bool { count == 0 && dropped == nil }

  func forNewObserver() -> EventQueue { EventQueue(capacity: events.count) }

  mutating func put(_ event: MonitorEvent) {
    // The report of dropped events takes a place of its own.
    let needed = dropped == nil ? 1 : 2
    guard events.count - count >= needed else {
      dropped = ((dropped?.count ?? 0) + 1, event)
      return
    }
    if let report = takeReport() { append(report) }
    append(event)
  }

  mutating func take() -> MonitorEvent? {
    guard count > 0 else { return takeReport() }
    defer {
      first = (first + 1) % events.count
      count -= 1
    }
    return events[first]
  }

  private mutating func append(_ event: MonitorEvent) {
    events[(first + count) % events.count] = event
    count += 1
  }

  private mutating func takeReport() -> MonitorEvent? {
    guard let (count, last) = dropped else { return nil }
    dropped = nil
    return MonitorEvent(
      kind: .dropped(count: count), position: last.position, decidedAt: last.decidedAt)
  }
}
