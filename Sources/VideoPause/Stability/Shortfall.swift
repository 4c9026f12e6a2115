/// Distinguishes a real shortfall from a noisy estimate.
///
/// If the estimate were right, what is sent beyond it would wait in a queue at the bottleneck. The estimate is believed
/// once that queue would exceed the tolerated length: a small excess after a long time, a large one soon, and one
/// beyond the emergency limit at once. While the estimate is above what is sent, the queue drains.
struct Shortfall {
  private let tolerated: Double
  private let emergencyShare: Double
  /// The length of the modelled queue, in bits.
  private var queue = 0.0
  private var at = Timestamp.zero

  init(_ configuration: VideoPauseConfiguration) {
    tolerated = Double(configuration.toleratedQueue.wholeMicroseconds) / 1e6
    emergencyShare = 1 - configuration.emergencyShortfall
  }

  /// Accounts for the time since the last call, during which both rates held.
  mutating func advance(to now: Timestamp, allocated: Int, available: Int) {
    let seconds = Double(now.microseconds(since: at)) / 1e6
    queue = max(0, queue + Double(allocated - available) * seconds)
    at = now
  }

  func isBelieved(allocated: Int, available: Int, congestion: CongestionState) -> Bool {
    guard allocated > available else { return false }
    return congestion == .congested || Double(allocated) * emergencyShare > Double(available)
      || queue >= tolerated * Double(available)
  }

  /// Returns when the shortfall will be believed if nothing changes; nil for never.
  func believedAt(allocated: Int, available: Int) -> Timestamp? {
    guard allocated > available else { return nil }
    let left = max(0, tolerated * Double(available) - queue) / Double(allocated - available)
    // A day's queue at a trickle lies beyond the range of any clock.
    let microseconds = min((left * 1e6).rounded(.up) + 1, 9e18)
    return at.advanced(byMicroseconds: Int64(microseconds))
  }

  /// Empties the queue after the sent rate was brought down to the estimate.
  mutating func settle() { queue = 0 }
}
