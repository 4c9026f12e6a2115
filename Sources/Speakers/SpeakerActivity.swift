/// A converter from a participant's observations to speech activity, 0 (none) … 1 (certain).
///
/// A posterior decides whatever the level. A level without a posterior counts by how far it exceeds the participant's
/// background. A higher level or posterior never gives less activity.
struct SpeakerActivity: Sendable {
  /// The background in dBov, at most `highest`, so that somebody who talks without a pause is not taken for noise.
  private var background = Self.highest
  private var updatedAt: Int64?

  private static let highest: Float = -30
  /// How fast the background rises, dB/s. A syllable every 0.3 s with a dip after it keeps the background at the dips.
  private static let rise: Float = 2

  mutating func value(of observation: SpeakerObservation, at now: Int64) -> Float {
    guard let posterior = observation.posterior else {
      return activity(ofLevel: observation.level, at: now)
    }
    return ramp(posterior, from: 0.3, to: 0.7)
  }

  /// Returns 0 up to 5 dB above the background or below −65 dBov, and 1 from 11 dB and −59 dBov on.
  private mutating func activity(ofLevel level: Float, at now: Int64) -> Float {
    let seconds = Float(min(max(now - (updatedAt ?? now), 0), 1000)) / 1000
    updatedAt = now
    background = min(background + Self.rise * seconds, level, Self.highest)
    return ramp(level - background, from: 5, to: 11) * ramp(level, from: -65, to: -59)
  }
}

/// Returns 0 up to `low`, 1 from `high` on, and a straight line in between.
func ramp(_ x: Float, from low: Float, to high: Float) -> Float {
  min(max((x - low) / (high - low), 0), 1)
}
