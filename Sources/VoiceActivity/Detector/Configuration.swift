internal import CVoiceActivity

extension VoiceActivityDetector {
  /// What decides. The defaults are the preset ``Preset/conversation``.
  ///
  /// Durations count in whole 10 ms hops, rounded up, 0 … 1 hour.
  public struct Configuration: Sendable, Hashable {
    /// Rate of the input in Hz, 8000 … 192000.
    public var sampleRate: Int
    /// Posterior at or above which speech may begin, 0 < … < 1.
    public var onsetThreshold: Float
    /// Posterior below which speech may end, 0 < … ≤ `onsetThreshold`.
    public var offsetThreshold: Float
    /// How long the posterior must stay at or above `onsetThreshold` before speech begins.
    public var onsetDebounce: Duration
    /// How long the posterior must stay below `offsetThreshold` before speech ends.
    public var hangover: Duration
    /// Speech that begins this soon after muting is the end of a sentence, not muted speech.
    public var muteGrace: Duration
    /// Speech from before the mute becomes muted speech when it still runs this long after the grace.
    public var muteCarryOver: Duration
    /// The muted-speech state stays at least this long, unless unmuted.
    public var mutedSpeechHold: Duration
    /// How long the muted-speech state outlives the end of speech.
    public var mutedSpeechRelease: Duration

    /// What the decision is tuned for: the thresholds, the onset debounce and the hangover.
    ///
    /// How long muted speech takes is the same in all.
    public enum Preset: String, Sendable, Hashable, CaseIterable {
      /// Calls and meetings: false alarms and missed speech weigh the same.
      case conversation
      /// Telling somebody, say that they are muted: rather late than wrong.
      case notice
      /// Choosing what to transcribe or keep: rather early than cut.
      case transcription
    }

    /// A preset for a rate. The rate is checked when a detector is made.
    public init(sampleRate: Int = 16_000, preset: Preset = .conversation) {
      var defaults = va_config()
      va_config_preset(&defaults, UInt32(clamping: sampleRate), preset.cValue)
      self.init(defaults)
      self.sampleRate = sampleRate
    }

    /// As C has it.
    init(_ defaults: va_config) {
      sampleRate = Int(defaults.sample_rate_hz)
      onsetThreshold = defaults.onset_threshold
      offsetThreshold = defaults.offset_threshold
      onsetDebounce = .milliseconds(defaults.onset_debounce_ms)
      hangover = .milliseconds(defaults.hangover_ms)
      muteGrace = .milliseconds(defaults.mute_grace_ms)
      muteCarryOver = .milliseconds(defaults.mute_carry_over_ms)
      mutedSpeechHold = .milliseconds(defaults.muted_speech_hold_ms)
      mutedSpeechRelease = .milliseconds(defaults.muted_speech_release_ms)
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
  /// The same for C. A value that C's type cannot hold becomes one that `va_detector_init` refuses.
  var cValue: va_config {
    var value = va_config()
    va_config_default(&value, UInt32(clamping: sampleRate))
    value.onset_threshold = onsetThreshold
    value.offset_threshold = offsetThreshold
    value.onset_debounce_ms = onsetDebounce.wholeMilliseconds
    value.hangover_ms = hangover.wholeMilliseconds
    value.mute_grace_ms = muteGrace.wholeMilliseconds
    value.mute_carry_over_ms = muteCarryOver.wholeMilliseconds
    value.muted_speech_hold_ms = mutedSpeechHold.wholeMilliseconds
    value.muted_speech_release_ms = mutedSpeechRelease.wholeMilliseconds
    return value
  }
}

extension Duration {
  /// Milliseconds rounded up; a negative or enormous duration gives `UInt32.max`, which no setting allows.
  fileprivate var wholeMilliseconds: UInt32 {
    guard self >= .zero, self < .seconds(4_000_000) else { return .max }
    let attosecondsPerMillisecond: Int64 = 1_000_000_000_000_000
    let (seconds, attoseconds) = components
    let up = (attoseconds + attosecondsPerMillisecond - 1) / attosecondsPerMillisecond
    return UInt32(seconds * 1000 + up)
  }
}
