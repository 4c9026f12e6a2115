public import VoiceActivity

/// An observation of a participant: one packet, or one hop of decoded audio.
public struct SpeakerObservation: Sendable, Hashable {
  /// The level in dBov, −127 (silence) … 0 (full scale).
  public let level: Float
  /// P(speech), 0 … 1; `nil` if unknown, so that the level has to decide.
  public let posterior: Float?

  /// Creates an observation. Values outside their range are limited to it. NaN counts as silence and as no speech.
  public init(level: Float, posterior: Float? = nil) {
    self.level = level.isNaN ? Self.silence : min(max(level, Self.silence), 0)
    self.posterior = posterior.map { $0.isNaN ? 0 : min(max($0, 0), 1) }
  }

  /// Creates an observation from the byte of RFC 6464's header extension: the voice flag V over seven bits of −dBov.
  ///
  /// Pass `hasVoiceFlag: false` for senders that do not set V (`vad=off` in their SDP).
  public init(rfc6464 byte: UInt8, hasVoiceFlag: Bool = true) {
    let sent = AudioLevel(byte: byte)
    self.init(level: -Float(sent.dBov), posterior: hasVoiceFlag ? sent.hasVoice ? 1 : 0 : nil)
  }

  /// Creates an observation from a hop of `VoiceActivityDetector`, for participants whose audio is decoded. A gap
  /// counts as no speech.
  public init(hop: VoiceActivityHop) {
    self.init(level: hop.levelDBFS, posterior: hop.isMissing ? 0 : hop.posterior)
  }

  /// The bottom of RFC 6464's scale, dBov.
  static let silence: Float = -127
}
