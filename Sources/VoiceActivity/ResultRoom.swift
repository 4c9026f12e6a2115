internal import CVoiceActivity

/// The memory that C writes the results of one call to.
///
/// `@unchecked Sendable` is safe because the room cannot be copied and only the thread that uses its detector reads or
/// writes it.
struct ResultRoom: ~Copyable, @unchecked Sendable {
  /// Hops per call into C: enough to make the cost of the call negligible, few enough to stay in the L1 cache.
  private static let hopCapacity = 32
  private static let eventCapacity = 4 * Int(VA_EVENTS_PER_HOP_MAX)

  /// Both are freed in `deinit`. C keeps no pointer to them after a call.
  private let events = UnsafeMutablePointer<va_event>.allocate(capacity: eventCapacity)
  private let hops = UnsafeMutablePointer<va_hop>.allocate(capacity: hopCapacity)

  deinit {
    events.deallocate()
    hops.deallocate()
  }

  /// Returns an empty output for a call into C. Without room for hops, C makes no records of them.
  func output(wantsHops: Bool) -> va_output {
    va_output(
      events: events, event_capacity: Self.eventCapacity, event_count: 0,
      hops: wantsHops ? hops : nil, hop_capacity: wantsHops ? Self.hopCapacity : 0, hop_count: 0,
      more: false)
  }
}
