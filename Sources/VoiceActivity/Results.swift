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
    /// Speech began; `position` is where the posterior rose to the offset threshold on its way to the onset
    /// threshold, at most ``VoiceActivityDetector/longestRise`` before that.
    case onset = 1
    /// Speech ended; `position` is the end of the last hop at or above the offset threshold.
    case offset = 2
    /// Muted speech began; `position` is the hop that decided it.
    case mutedSpeechBegin = 3
    /// Muted speech ended; `position` is the hop that decided it, or the newest one at the unmute.
    case mutedSpeechEnd = 4
    /// Samples are missing; `position` is the first of `missingSamples`.
    case discontinuity = 5
  }

  /// The event as C has it. Nothing else is stored, so that C reads arrays of events as they are.
  let cValue: va_event

  /// What happened.
  public var kind: Kind {
    guard let kind = Kind(rawValue: cValue.type) else { preconditionFailure("init checks it") }
    return kind
  }
  /// The position that `kind` describes.
  public var position: UInt64 { cValue.position }
  /// The position that the detector had reached when it decided.
  public var decidedAt: UInt64 { cValue.decided_at }
  /// The number of missing samples for a `discontinuity`, otherwise 0.
  public var missingSamples: UInt64 { cValue.length_samples }
}

/// One 10 ms step of the analysis.
public struct VoiceActivityHop: Sendable, Hashable {
  /// The hop as C has it. Nothing else is stored, so that C reads arrays of hops as they are.
  let cValue: va_hop

  /// The first input sample of the hop. The look-ahead is already subtracted.
  public var position: UInt64 { cValue.position }
  /// P(speech given features), 0 … 1.
  public var posterior: Float { cValue.posterior }
  /// RMS in dBFS, −127 … 12; 0 dBFS is the RMS of a full-scale square wave.
  public var levelDBFS: Float { cValue.level_dbfs }
  /// The largest magnitude in dBFS, −127 … 12.
  public var peakDBFS: Float { cValue.peak_dbfs }
  /// The noise floor, summed over all bands, in dBFS, −127 … 12.
  public var noiseFloorDBFS: Float { cValue.noise_floor_dbfs }
  /// The state after the hop.
  public var state: SpeechState { SpeechState(rawValue: cValue.state) ?? .silence }
  /// Whether the state was speech or hangover when the hop was decided.
  public var isSpeech: Bool { has(VA_HOP_SPEECH) }
  /// Whether the microphone was muted when the hop was decided.
  public var isMuted: Bool { has(VA_HOP_MUTED) }
  /// Whether the muted-speech state was set after the hop.
  public var isMutedSpeech: Bool { has(VA_HOP_MUTED_SPEECH) }
  /// Whether the hop lies in a gap, wholly or in part.
  public var isMissing: Bool { has(VA_HOP_MISSING) }
  /// Whether half of the hop or more came from ``VoiceActivityDetector/push(_:count:onHop:onEvent:)``: the sender
  /// decided, and the posterior is 0 or 1.
  public var isLevelOnly: Bool { has(VA_HOP_LEVEL_ONLY) }
  /// Whether a third of what the microphone heard in the hop, or more, was only echo (``EchoReference``).
  public var isEcho: Bool { has(VA_HOP_ECHO) }
  /// The level in −dBov, 0 (loudest) … 127 (silence), as in RFC 6464.
  public var levelDBov: UInt8 { cValue.level_dbov }
  /// In hangover, the time left before speech ends; otherwise zero.
  public var hangoverLeft: Duration { .milliseconds(cValue.hangover_left_ms) }

  private func has(_ flag: va_hop_flags) -> Bool { UInt32(cValue.flags) & flag.rawValue != 0 }
}

extension VoiceActivityEvent {
  /// Takes an event of C, or returns `nil` for a kind that this version does not know.
  init?(_ event: va_event) {
    guard Kind(rawValue: event.type) != nil else { return nil }
    cValue = event
  }

  public static func == (one: Self, other: Self) -> Bool {
    one.kind == other.kind && one.position == other.position && one.decidedAt == other.decidedAt
      && one.missingSamples == other.missingSamples
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    hasher.combine(position)
    hasher.combine(decidedAt)
  }
}

extension VoiceActivityHop {
  init(_ hop: va_hop) { cValue = hop }

  public static func == (one: Self, other: Self) -> Bool {
    let (a, b) = (one.cValue, other.cValue)
    return a.position == b.position && a.posterior == b.posterior && a.level_dbfs == b.level_dbfs
      && a.peak_dbfs == b.peak_dbfs && a.noise_floor_dbfs == b.noise_floor_dbfs
      && (a.state, a.flags, a.level_dbov, a.hangover_left_ms)
        == (b.state, b.flags, b.level_dbov, b.hangover_left_ms)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(position)
    hasher.combine(posterior)
    hasher.combine(cValue.flags)
  }
}
