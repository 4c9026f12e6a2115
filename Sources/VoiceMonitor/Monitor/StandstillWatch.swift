/// Tells from its own lateness that this process stood still: it was stopped (SIGSTOP), in a debugger or starved. A
/// source is not overdue for that, because nobody could take what it had.
///
/// It is a value without a clock.
struct StandstillWatch {
  /// The lateness that a busy computer may cause, ns.
  static let tolerance: Int64 = 100_000_000

  /// How long a source has after a standstill, ns.
  private let grace: Int64
  private var dueAt: Int64?
  private var excusedUntil = Int64.min

  init(grace: Int64) { self.grace = grace }

  /// Takes note of a look.
  mutating func looked(at now: Int64) {
    if let dueAt, now - dueAt >= Self.tolerance { excusedUntil = now + grace }
    dueAt = nil
  }

  /// Takes note of when the next look is due.
  mutating func willLook(at time: Int64) { dueAt = time }

  /// Returns when a source becomes overdue that would be at `deadline` if this process had not stood still.
  func excused(_ deadline: Int64) -> Int64 { max(deadline, excusedUntil) }
}
