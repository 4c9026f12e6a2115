/// Tells a real shortfall from a noisy estimate.
///
/// What is sent beyond the estimate would wait in a queue at the bottleneck if the estimate were right. Once that
/// queue would be longer than what we tolerate, the estimate is believed: a small excess after a long time, a large
/// one soon, and one beyond the emergency limit at once. While the estimate is above what is sent, the queue drains.
struct Shortfall {
  private let tolerated: Double
  private let emergencyShare: Double
  /// Bits.
  private var queue = 0.0
  private var at = Timestamp.zero

  init(_ configuration: VideoPauseConfiguration) {
    tolerated = Double(configuration.toleratedQueue.wholeMicroseconds) / 1e6
    emergencyShare = 1 - configuration.emergencyShortfall
  }

  /// Says how things were since the last call.
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

  /// When it will be believed if nothing changes; nil: never.
  func believedAt(allocated: Int, available: Int) -> Timestamp? {
    guard allocated > available else { return nil }
    let left = max(0, tolerated * Double(available) - queue) / Double(allocated - available)
    // A day's queue at a trickle lies beyond any clock.
    let microseconds = min((left * 1e6).rounded(.up) + 1, 9e18)
    return at.advanced(byMicroseconds: Int64(microseconds))
  }

  /// What is sent was brought down to the estimate.
  mutating func settle() { queue = 0 }
}
