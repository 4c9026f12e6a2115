/// How much a step says for a change of the dominant speaker.
///
/// The numbers are one of 150 drawn settings, rounded: chosen by delay, missed turns and false switches in synthesised
/// meetings, seeds 1 to 8, given the voice flag (docs/dominant-speaker.md). How critical each is was not measured.
enum Evidence {
  /// Speech against speech of equal loudness.
  private static let overlap: Float = 0.16
  /// dB that an interrupter must be louder for `overlap` to double; as much quieter, it is nothing.
  private static let leadRange: Float = 20
  /// Silence while the floor is free, and while the dominant speaker talks.
  private static let silenceOnFreeFloor: Float = 0.2
  private static let silenceAgainstSpeech: Float = 0.6
  /// How fast the memory of somebody's loudness fades, dB/s.
  static let loudnessFall: Float = 7

  /// ms of evidence for each ms, −0.6 … 1.
  ///
  /// - Parameters:
  ///   - activity: the challenger's, 0 … 1. More never gives less.
  ///   - rivalHold: the dominant speaker's hold on the floor, 0 … 1. More never gives more.
  ///   - lead: how much louder the challenger is, dB. What is 20 dB quieter than the speech over it is echo or
  ///     cross-talk, and speaks against a change.
  static func rate(activity: Float, rivalHold: Float, lead: Float) -> Float {
    let disputed = overlap * min(max(1 + lead / leadRange, -1), 2.5)
    let speech = (1 - rivalHold) + rivalHold * disputed
    let silence = (1 - rivalHold) * silenceOnFreeFloor + rivalHold * silenceAgainstSpeech
    return activity * speech - (1 - activity) * silence
  }
}
