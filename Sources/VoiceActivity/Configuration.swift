internal import CVoiceActivity
internal import RealTime

extension VoiceActivityDetector {
  /// The settings that decisions depend on. The defaults are those of the preset ``Preset/conversation``.
  ///
  /// Durations are 0 … 1 hour. They are rounded up to whole 10 ms hops.
  public struct Configuration: Sendable, Hashable {
    /// The rate of the input in Hz, 8000 … 192000.
    public var sampleRate: Int
    /// The posterior at or above which speech may begin, 0 < … < 1.
    public var onsetThreshold: Float
    /// The posterior below which speech may end, 0 < … ≤ `onsetThreshold`.
    public var offsetThreshold: Float
    /// How long the posterior must stay at or above `onsetThreshold` before speech begins.
    public var onsetDebounce: Duration
    /// How long the posterior must stay below `offsetThreshold` before speech ends.
    public var hangover: Duration
    /// The time after a mute in which the onset of speech does not count as muted speech: it ends a sentence.
    public var muteGrace: Duration
    /// How long after the grace speech from before the mute must still run to become muted speech.
    public var muteCarryOver: Duration
    /// The shortest time that the muted-speech state lasts, unless the microphone is unmuted.
    public var mutedSpeechHold: Duration
    /// How long the muted-speech state outlasts the end of speech.
    public var mutedSpeechRelease: Duration

    /// The purpose that the thresholds, the onset debounce and the hangover are tuned for.
    ///
    /// All presets share the same durations for muted speech.
    public enum Preset: String, Sendable, Hashable, CaseIterable {
      /// Calls and meetings: false alarms and misses weigh the same.
      case conversation
      /// "You are muted": a late notice is better than a wrong one.
      case notice
      /// What to transcribe: extra sound is better than a lost word.
      case transcription
    }

    /// The longest that a duration may be.
    package static let longestDuration = Duration.milliseconds(VA_DURATION_MAX_MS)

    /// Creates the settings of a preset for a sample rate, which ``validate()`` checks.
    public init(sampleRate: Int = 16_000, preset: Preset = .conversation) {
      var defaults = va_config()
      va_config_preset(&defaults, UInt32(clamping: sampleRate), preset.cValue)
      self.init(defaults)
      self.sampleRate = sampleRate
    }

    /// Creates the Swift form of C's settings.
    init(_ defaults: va_config) {
      sampleRate = Int(defaults.sample_rate_hz)
      // contract: settings of C
      onsetThreshold = defaults.onset_threshold
      offsetThreshold = defaults.offset_threshold
      onsetDebounce = .milliseconds(defaults.onset_debounce_ms)
      hangover = .milliseconds(defaults.hangover_ms)
      muteGrace = .milliseconds(defaults.mute_grace_ms)
      muteCarryOver = .milliseconds(defaults.mute_carry_over_ms)
      mutedSpeechHold = .milliseconds(defaults.muted_speech_hold_ms)
      mutedSpeechRelease = .milliseconds(defaults.muted_speech_release_ms)
      // contract end
    }
  }
}

extension VoiceActivityDetector.Configuration.Preset {
  fileprivate var cValue: va_preset {
    switch self {
    case .conversation: VA_PRESET_CONVERSATION
    case .notice: VA_PRESET_NOTICE
    case .transcription: VA_PRESET_TRANSCRIPTION
    }
  }
}

extension VoiceActivityDetector.Configuration {
  /// Throws what the initialiser of a detector throws for these settings:
  /// ``VoiceActivityError/sampleRate``, ``VoiceActivityError/threshold`` or ``VoiceActivityError/duration``.
  public func validate() throws(VoiceActivityError) {
    var value = cValue
    try VoiceActivityError.check(va_config_check(&value))
  }

  /// Sets ``onsetThreshold`` alone, as a user does: ``offsetThreshold`` moves by as much, but to no less than a third
  /// of the new onset threshold. It stays if the onset threshold is not 0 < … < 1, which ``validate()`` refuses.
  public mutating func moveThresholds(onset: Float) {
    var value = cValue
    va_config_move_thresholds(&value, onset)
    (onsetThreshold, offsetThreshold) = (value.onset_threshold, value.offset_threshold)
  }

  /// The C form of these settings. A value that C's type cannot hold becomes one that `va_detector_init` rejects.
  var cValue: va_config {
    var value = va_config()
    va_config_default(&value, UInt32(clamping: sampleRate))
    // contract: settings to C
    value.onset_threshold = onsetThreshold
    value.offset_threshold = offsetThreshold
    value.onset_debounce_ms = onsetDebounce.wholeMilliseconds
    value.hangover_ms = hangover.wholeMilliseconds
    value.mute_grace_ms = muteGrace.wholeMilliseconds
    value.mute_carry_over_ms = muteCarryOver.wholeMilliseconds
    value.muted_speech_hold_ms = mutedSpeechHold.wholeMilliseconds
    value.muted_speech_release_ms = mutedSpeechRelease.wholeMilliseconds
    // contract end
    return value
  }
}

extension Duration {
  /// The duration in milliseconds, rounded up; `UInt32.max`, which no setting allows, for a negative or enormous one.
  var wholeMilliseconds: UInt32 {
    guard self >= .zero, self < .seconds(4_000_000) else { return .max }
    return UInt32(millisecondsRoundedUp)
  }
}
