internal import CVoiceActivity

/// The status of a detector, for other threads. Each value is current, but they may come from different hops.
public struct VoiceActivityStatus: Sendable, Hashable {
  /// The state after the last hop.
  public let state: SpeechState
  /// Whether the microphone is muted, as last set; it changes at once.
  public let isMuted: Bool
  /// Whether somebody speaks while muted; false as soon as the microphone is unmuted.
  public let isMutedSpeech: Bool
  /// P(speech given features) of the last hop, 0 … 1.
  public let posterior: Float
  /// The RMS of the last hop in dBFS, −127 … 12.
  public let levelDBFS: Float
  /// The noise floor, summed over all bands, in dBFS, −127 … 12.
  public let noiseFloorDBFS: Float
  /// The level in −dBov, 0 (loudest) … 127 (silence), as in RFC 6464.
  public let levelDBov: UInt8
  /// The number of hops decided since the start or the last reset.
  public let hops: UInt64

  /// Whether the state is speech or hangover.
  public var isSpeech: Bool { state == .speech || state == .hangover }
}

/// What a detector has counted since it was made. The counts only grow, and a reset does not change them.
///
/// Reading them does not stop the analysis. During a reset they may be too low for a moment.
public struct VoiceActivityTotals: Sendable, Hashable {
  /// 10 ms hops decided.
  public var hops: UInt64 = 0
  /// Onsets of speech.
  public var onsets: UInt64 = 0
  /// Onsets of muted speech.
  public var mutedSpeeches: UInt64 = 0
  /// Gaps, whatever their reason: overruns, lost packets, DTX.
  public var gaps: UInt64 = 0
  /// Samples missing in those gaps, counted at the input rate.
  public var missingSamples: UInt64 = 0
  /// Times that a monitor's source lost sound because the analysis or the capture was late. A detector has no queue
  /// that could overrun, so its own count stays 0.
  public var overruns: UInt64 = 0

  /// Creates counts of 0.
  public init() {}

  /// Returns the sum of both counts.
  public static func + (a: Self, b: Self) -> Self {
    var sum = a
    sum += b
    return sum
  }

  /// Adds the counts of another detector.
  public static func += (a: inout Self, b: Self) {
    a.hops += b.hops
    a.onsets += b.onsets
    a.mutedSpeeches += b.mutedSpeeches
    a.gaps += b.gaps
    a.missingSamples += b.missingSamples
    a.overruns += b.overruns
  }
}

extension VoiceActivityStatus {
  init(_ status: va_status) {
    state = UInt8(exactly: status.state).flatMap(SpeechState.init) ?? .silence
    isMuted = status.is_muted
    isMutedSpeech = status.is_muted_speech
    posterior = status.posterior
    levelDBFS = status.level_dbfs
    noiseFloorDBFS = status.noise_floor_dbfs
    levelDBov = status.level_dbov
    hops = status.hops
  }
}
