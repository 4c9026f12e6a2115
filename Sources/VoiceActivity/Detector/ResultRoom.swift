internal import CVoiceActivity

/// Where C puts what it decides in one call. Its owner's thread alone looks in, hence `@unchecked`.
struct ResultRoom: ~Copyable, @unchecked Sendable {
  /// Hops per call into C: enough to make the call's cost vanish, few enough to stay in the L1 cache.
  private static let hopCapacity = 32
  private static let eventCapacity = 4 * Int(VA_EVENTS_PER_HOP_MAX)

  private let events = UnsafeMutablePointer<va_event>.allocate(capacity: eventCapacity)
  private let hops = UnsafeMutablePointer<va_hop>.allocate(capacity: hopCapacity)

  deinit {
    events.deallocate()
    hops.deallocate()
  }

  /// For a call of C. C makes no records of hops that nobody wants.
  func output(wantsHops: Bool) -> va_output {
    va_output(
      events: events, event_capacity: Self.eventCapacity, event_count: 0,
      hops: wantsHops ? hops : nil, hop_capacity: wantsHops ? Self.hopCapacity : 0, hop_count: 0,
      more: false)
  }
}
