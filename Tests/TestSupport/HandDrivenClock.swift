import Foundation

/// A clock that moves only when the test moves it. `@unchecked Sendable` is safe because `lock` guards its state.
public final class HandDrivenClock: Clock, @unchecked Sendable {
  public struct Instant: InstantProtocol {
    var sinceStart: Duration
    public func advanced(by duration: Duration) -> Instant {
      Instant(sinceStart: sinceStart + duration)
    }
    public func duration(to other: Instant) -> Duration { other.sinceStart - sinceStart }
    public static func < (one: Instant, other: Instant) -> Bool {
      one.sinceStart < other.sinceStart
    }
  }

  /// Whether a sleeper wakes when its task is cancelled. If not, it behaves like one that was about to wake anyway.
  private let heedsCancellation: Bool
  private let lock = NSLock()
  private var time = Instant(sinceStart: .zero)
  private var sleepers: [UUID: (deadline: Instant, wake: CheckedContinuation<Void, any Error>)] =
    [:]

  public init(heedsCancellation: Bool = true) { self.heedsCancellation = heedsCancellation }

  public var now: Instant { lock.withLock { time } }
  public var minimumResolution: Duration { .zero }
  public var sleeperCount: Int { lock.withLock { sleepers.count } }

  public func advance(to sinceStart: Duration) {
    let due = lock.withLock {
      time = Instant(sinceStart: sinceStart)
      let due = sleepers.filter { $0.value.deadline <= time }
      for id in due.keys { sleepers[id] = nil }
      return due.values
    }
    for sleeper in due { sleeper.wake.resume() }
  }

  public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let id = UUID()
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isLate = lock.withLock {
          if Task.isCancelled && heedsCancellation || deadline <= time { return true }
          sleepers[id] = (deadline, continuation)
          return false
        }
        if isLate { continuation.resume() }
      }
      if heedsCancellation { try Task.checkCancellation() }
    } onCancel: {
      guard heedsCancellation else { return }
      let sleeper = lock.withLock { sleepers.removeValue(forKey: id) }
      sleeper?.wake.resume(throwing: CancellationError())
    }
  }
}
