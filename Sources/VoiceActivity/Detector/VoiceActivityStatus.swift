internal import CVoiceActivity

/// How a detector stands, for other threads. Each value is current, but not all of one and the same hop.
public struct VoiceActivityStatus: Sendable, Hashable {
  /// After the last hop.
  public let state: SpeechState
  /// As last set, at once.
  public let isMuted: Bool
  /// Somebody speaks while muted; false at once when unmuted.
  public let isMutedSpeech: Bool
  /// Of the last hop: P(speech given features), 0 … 1.
  public let posterior: Float
  /// RMS of the last hop in dBFS, −127 … 12.
  public let levelDBFS: Float
  /// Tracked background over all bands in dBFS, −127 … 12.
  public let noiseFloorDBFS: Float
  /// Level in −dBov, 0 (loudest) … 127 (silence), as in RFC 6464.
  public let levelDBov: UInt8
  /// Hops that were decided since the start or the last reset.
  public let hops: UInt64

  /// The state is speech or hangover.
  public var isSpeech: Bool { state == .speech || state == .hangover }
}

/// What a detector has counted since it was made; these only grow, and a reset does not change them.
///
/// They are read without stopping the analysis. Beside a reset that is going on they may be too low for a moment.
public struct VoiceActivityTotals: Sendable, Hashable {
  /// 10 ms steps that were decided.
  public var hops: UInt64 = 0
  /// Times that speech began.
  public var onsets: UInt64 = 0
  /// Times that somebody began to speak while muted.
  public var mutedSpeeches: UInt64 = 0
  /// Times that samples were missing, for whatever reason: overruns, lost packets, DTX.
  public var gaps: UInt64 = 0
  /// How many were, in samples of the input.
  public var missingSamples: UInt64 = 0
  /// Times that a monitor's source lost sound because the analysis, or the capture, was late. A detector has no queue
  /// that could overrun, and counts none.
  public var overruns: UInt64 = 0

  /// Nothing yet.
  public init() {}

  /// Both together.
  public static func + (a: Self, b: Self) -> Self {
    var sum = a
    sum += b
    return sum
  }

  /// Adds what another has counted.
  public static func += (a: inout Self, b: Self) {
    a.hops += b.hops
    a.onsets += b.onsets
    a.mutedSpeeches += b.mutedSpeeches
    a.gaps += b.gaps
    a.missingSamples += b.missingSamples
    a.overruns += b.overruns
  }
}

extension VoiceActivityTotals {
  init(hops: UInt64, onsets: UInt64, mutedSpeeches: UInt64, gaps: UInt64, missingSamples: UInt64) {
    self.hops = hops
    self.onsets = onsets
    self.mutedSpeeches = mutedSpeeches
    self.gaps = gaps
    self.missingSamples = missingSamples
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
