internal import AudioInput
internal import Synchronization
internal import VoiceActivity

/// What `body` gives, or `nil` if it takes longer than `limit`.
///
/// libasound cannot be told to give up. So `body` runs on a thread of its own, and one that takes too long is left
/// to itself: it ends when it ends, and nobody looks at what it gives.
func withinTime<Value: Sendable>(
  _ limit: Duration, _ body: @escaping @Sendable () -> Value
) -> Value? {
  guard let answer = try? Answer<Value>() else { return nil }
  guard let thread = try? JoinableThread({ answer.give(body()) }) else { return nil }
  thread.detach()
  return answer.wait(atMost: limit)
}

/// A value that one thread gives and another waits for.
private final class Answer<Value: Sendable>: @unchecked Sendable {
  /// Written before `isGiven`, read after it.
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
