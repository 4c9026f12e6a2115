/// Turns a participant's observations into speech activity, 0 (none) … 1 (certain).
///
/// A posterior speaks for itself. A level alone counts by how far it stands above the participant's background.
/// More level, or a higher posterior, never gives less activity.
struct SpeakerActivity: Sendable {
  /// The background in dBov; at most `highest`, so that somebody who talks without a pause is not taken for noise.
  private var background = Self.highest
  private var updatedAt: Int64?

  private static let highest: Float = -30
  /// dB/s. A syllable every 0.3 s, each with a dip behind it, keeps the background where the dips are.
  private static let rise: Float = 2

  mutating func value(of observation: SpeakerObservation, at now: Int64) -> Float {
    guard let posterior = observation.posterior else {
      return activity(ofLevel: observation.level, at: now)
    }
    return ramp(posterior, from: 0.3, to: 0.7)
  }

  /// Nothing up to 5 dB above the background or below −65 dBov; certain from 11 dB and −59 dBov on.
  private mutating func activity(ofLevel level: Float, at now: Int64) -> Float {
    let seconds = Float(min(max(now - (updatedAt ?? now), 0), 1000)) / 1000
    updatedAt = now
    background = min(background + Self.rise * seconds, level, Self.highest)
    return ramp(level - background, from: 5, to: 11) * ramp(level, from: -65, to: -59)
  }
}

/// 0 up to `low`, 1 from `high` on, straight in between.
func ramp(_ x: Float, from low: Float, to high: Float) -> Float {
  min(max((x - low) / (high - low), 0), 1)
}
