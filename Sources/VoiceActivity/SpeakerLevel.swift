internal import CVoiceActivity

/// The user's own level: speech far below it does not raise muted speech.
///
/// A television, or the next desk, is quieter at the microphone than its user. While unmuted, the detector learns the
/// level of speech. Once it has learned from 3 s, muted speech further than a margin below it is not the user's. Speech
/// itself, posteriors, onsets and offsets do not depend on it.
extension VoiceActivityDetector {
  /// A level that was learned, for example to keep for a user and a microphone.
  public struct SpeakerLevel: Sendable, Hashable {
    /// The level in dBFS, in ``range``: the mean of the levels of a third of a second, weighted by power.
    public let dBFS: Float
    /// How much speech it was learned from, 0 … 30 s. It has an effect from ``leastLearned`` on.
    public let learned: Duration

    /// The levels in dBFS that speech can have.
    public static let range: ClosedRange<Float> = -127...12
    /// How much speech a level must have been learned from to have an effect: 3 s.
    public static var leastLearned: Duration { .milliseconds(VA_SPEAKER_LEAST_MS) }

    /// Creates a level. A level out of range becomes the nearest, and one that is not a number becomes −127.
    public init(dBFS: Float, learned: Duration) {
      let (least, most) = (Self.range.lowerBound, Self.range.upperBound)
      self.dBFS = dBFS >= least ? min(dBFS, most) : least
      self.learned = min(max(learned, .zero), .milliseconds(VA_SPEAKER_MOST_MS))
    }
  }

  /// The margin of a new detector in dB.
  public static var defaultSpeakerMargin: Float { Float(VA_SPEAKER_MARGIN_DB) }

  /// The widest margin in dB, apart from infinity.
  public static var widestSpeakerMargin: Float { Float(VA_SPEAKER_MARGIN_MAX_DB) }

  /// Sets how far below the learned level speech can be the user's: 0 … ``widestSpeakerMargin`` dB.
  ///
  /// `.infinity` turns it off: then all speech raises muted speech. A reset keeps the margin.
  ///
  /// - Throws: ``VoiceActivityError/margin`` if the margin is out of range.
  public mutating func setSpeakerMargin(_ decibels: Float) throws(VoiceActivityError) {
    let code = va_detector_set_speaker_margin(core.detector, decibels)
    if code != VA_OK { throw .margin }
  }

  /// What was learned; `nil` if nothing was. Setting it replaces what was learned; `nil` forgets, as after a change of
  /// the microphone. A reset forgets, too.
  public var speakerLevel: SpeakerLevel? {
    get {
      var (level, learned) = (Float(0), UInt32(0))
      va_detector_speaker_level(core.detector, &level, &learned)
      return learned == 0 ? nil : SpeakerLevel(dBFS: level, learned: .milliseconds(learned))
    }
    mutating set {
      let learned = (newValue?.learned ?? .zero) / .milliseconds(1)
      va_detector_set_speaker_level(core.detector, newValue?.dBFS ?? -127, UInt32(learned))
    }
  }

  /// Reports that the gain in front of the detector changes by so many dB from the next sample on: a mixer, the volume
  /// of a source, an automatic gain control. What was learned moves with it.
  ///
  /// Changes beyond ±60 dB count as ±60 dB, and one that is not a number as 0.
  public mutating func changeInputGain(by decibels: Float) {
    let widest = Float(VA_INPUT_GAIN_MAX_DB)
    va_detector_change_input_gain(
      core.detector, decibels.isNaN ? 0 : min(max(decibels, -widest), widest))
  }
}
