internal import CVoiceActivity

/// The state of a stream after the hysteresis.
public enum SpeechState: UInt8, Sendable, Hashable, CaseIterable {
  /// Nobody speaks.
  case silence = 0
  /// Above the onset threshold, but the onset debounce is not over.
  case pendingOnset = 1
  /// Somebody speaks.
  case speech = 2
  /// Below the offset threshold, but the hangover is not over; still counts as speech.
  case hangover = 3
}

/// Something that happened in a stream. Positions are absolute input samples (per channel, at the input rate), from 0.
public struct VoiceActivityEvent: Sendable, Hashable {
  /// The kinds of events.
  public enum Kind: UInt32, Sendable, Hashable, CaseIterable {
    /// Speech began; `position` is where the posterior rose above the offset threshold on its way to the onset
    /// threshold, at most ``VoiceActivityDetector/longestRise`` before that.
    case onset = 1
    /// Speech ended; `position` is the end of the last hop above the offset threshold.
    case offset = 2
    /// Muted speech began; `position` is the hop that decided it.
    case mutedSpeechBegin = 3
    /// Muted speech ended; `position` is the hop that decided it, or the unmute.
    case mutedSpeechEnd = 4
    /// Samples are missing; `position` is the first of `missingSamples`.
    case discontinuity = 5
  }

  /// What happened.
  public let kind: Kind
  /// The position that `kind` describes.
  public let position: UInt64
  /// The position that the detector had reached when it decided.
  public let decidedAt: UInt64
  /// The number of missing samples for a `discontinuity`, otherwise 0.
  public let missingSamples: UInt64
}

/// One 10 ms step of the analysis.
public struct VoiceActivityHop: Sendable, Hashable {
  /// The first input sample of the hop. The look-ahead is already subtracted.
  public let position: UInt64
  /// P(speech given features), 0 … 1.
  public let posterior: Float
  /// RMS in dBFS, −127 … 12; 0 dBFS is the RMS of a full-scale square wave.
  public let levelDBFS: Float
  /// The largest magnitude in dBFS, −127 … 12.
  public let peakDBFS: Float
  /// The noise floor, summed over all bands, in dBFS, −127 … 12.
  public let noiseFloorDBFS: Float
  /// The state after the hop.
  public let state: SpeechState
  /// Whether the state was speech or hangover when the hop was decided.
  public let isSpeech: Bool
  /// Whether the microphone was muted when the hop was decided.
  public let isMuted: Bool
  /// Whether the muted-speech state was set after the hop.
  public let isMutedSpeech: Bool
  /// Whether the hop lies in a gap, wholly or in part.
  public let isMissing: Bool
  /// Whether half of the hop or more came from ``VoiceActivityDetector/push(_:count:onHop:onEvent:)``: the sender decided,
  /// and the posterior is 0 or 1.
  public let isLevelOnly: Bool
  /// Whether a third of what the microphone heard in the hop, or more, was only echo (``EchoReference``).
  public let isEcho: Bool
  /// The level in −dBov, 0 (loudest) … 127 (silence), as in RFC 6464.
  public let levelDBov: UInt8
  /// In hangover, the time left before speech ends; otherwise zero.
  public let hangoverLeft: Duration
}

extension VoiceActivityEvent {
  /// Converts an event of C, or returns `nil` for a kind that this version does not know.
  init?(_ event: va_event) {
    guard let kind = Kind(rawValue: event.type) else { return nil }
    self.kind = kind
    position = event.position
    decidedAt = event.decided_at
    missingSamples = event.length_samples
  }
}

extension VoiceActivityHop {
  init(_ hop: va_hop) {
    let flags = UInt32(hop.flags)
    position = hop.position
    posterior = hop.posterior
    levelDBFS = hop.level_dbfs
    peakDBFS = hop.peak_dbfs
    noiseFloorDBFS = hop.noise_floor_dbfs
    state = SpeechState(rawValue: hop.state) ?? .silence
    isSpeech = flags & VA_HOP_SPEECH.rawValue != 0
    isMuted = flags & VA_HOP_MUTED.rawValue != 0
    isMutedSpeech = flags & VA_HOP_MUTED_SPEECH.rawValue != 0
    isMissing = flags & VA_HOP_MISSING.rawValue != 0
    isLevelOnly = flags & VA_HOP_LEVEL_ONLY.rawValue != 0
    isEcho = flags & VA_HOP_ECHO.rawValue != 0
    levelDBov = hop.level_dbov
    hangoverLeft = .milliseconds(hop.hangover_left_ms)
  }
}
