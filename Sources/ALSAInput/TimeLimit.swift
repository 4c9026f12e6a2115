internal import RealTime
internal import Synchronization

/// Returns the result of `body`, or nil if it takes longer than `limit`.
///
/// A call of libasound cannot be cancelled. `body` therefore runs on a thread of its own, and if it takes too long, the
/// thread is abandoned: it ends in its own time, and its result is ignored.
func withinTime<Value: Sendable>(
  _ limit: Duration, _ body: @escaping @Sendable () -> Value
) -> Value? {
  guard let answer = try? Answer<Value>() else { return nil }
  guard let thread = try? JoinableThread({ answer.give(body()) }) else { return nil }
  thread.detach()
  return answer.wait(atMost: limit)
}

/// A value that one thread gives and another waits for.
///
/// `@unchecked Sendable` is safe because `value` is written once, before the releasing store of `isGiven`, and read
/// only after an acquiring load has returned true.
private final class Answer<Value: Sendable>: @unchecked Sendable {
  /// Written before `isGiven` is set, and read after.
  private var value: Value?
  private let isGiven = Atomic(false)
  private let event: WakeEvent

  init() throws { event = try WakeEvent() }

  func give(_ value: Value) {
    self.value = value
    isGiven.store(true, ordering: .releasing)
    event.signal()
  }

  func wait(atMost limit: Duration) -> Value? {
    event.wait(atMost: Int32(limit / .milliseconds(1)))
    return isGiven.load(ordering: .acquiring) ? value : nil
  }
}
