import Annotations

/// The clock that the meter shows during an outage: the length of the stream, which grows in real time.
///
/// A device reports the length of an outage only when sound comes back. Until then the stream's position stands still.
struct StreamClock: Sendable {
  private var position = MediaTime.zero
  /// When the position last moved.
  private var movedAt: Ticker.Instant

  init(at now: Ticker.Instant) { movedAt = now }

  mutating func note(_ position: MediaTime, at now: Ticker.Instant) {
    if position != self.position { (self.position, movedAt) = (position, now) }
  }

  /// Returns the length of the stream, or 0 before the first sound, which begins it.
  func time(at now: Ticker.Instant) -> MediaTime {
    position == .zero ? .zero : position + MediaTime(now - movedAt)
  }
}
