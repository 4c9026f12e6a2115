/// The weight of a step's evidence for a change of the dominant speaker.
///
/// The numbers are one of 150 randomly drawn settings, rounded. That setting was chosen for its delay, missed turns and
/// false switches in synthesised meetings, seeds 1 to 8, with the voice flag (docs/dominant-speaker.md). The
/// sensitivity to each number was not measured.
enum Evidence {
  /// The weight of speech against speech of equal loudness.
  private static let overlap: Float = 0.16
  /// How much louder an interrupter must be for `overlap` to double, dB. As much quieter, it becomes zero.
  private static let leadRange: Float = 20
  /// The weight of silence while the floor is free, and while the dominant speaker talks.
  private static let silenceOnFreeFloor: Float = 0.2
  private static let silenceAgainstSpeech: Float = 0.6
  /// How fast a participant's remembered loudness falls, dB/s.
  static let loudnessFall: Float = 7

  /// Returns the evidence in ms for each ms, −0.6 … 1.
  ///
  /// - Parameters:
  ///   - activity: The challenger's activity, 0 … 1. More activity never gives less evidence.
  ///   - rivalHold: The dominant speaker's hold on the floor, 0 … 1. A stronger hold never gives more evidence.
  ///   - lead: How much louder the challenger is, dB. A challenger 20 dB quieter than the speech it overlaps is echo or
  ///     cross-talk, and counts against a change.
  static func rate(activity: Float, rivalHold: Float, lead: Float) -> Float {
    let disputed = overlap * min(max(1 + lead / leadRange, -1), 2.5)
    let speech = (1 - rivalHold) + rivalHold * disputed
    let silence = (1 - rivalHold) * silenceOnFreeFloor + rivalHold * silenceAgainstSpeech
    return activity * speech - (1 - activity) * silence
  }
}
