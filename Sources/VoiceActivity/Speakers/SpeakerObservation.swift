/// What one packet, or one hop of decoded audio, tells of a participant.
public struct SpeakerObservation: Sendable, Hashable {
  /// Level in dBov: −127 (silence) … 0 (full scale).
  public let level: Float
  /// P(speech), 0 … 1; `nil` when nobody said, so that the level has to tell.
  public let posterior: Float?

  /// Values outside their range are moved into it. NaN is silence and no speech.
  public init(level: Float, posterior: Float? = nil) {
    self.level = level.isNaN ? Self.silence : min(max(level, Self.silence), 0)
    self.posterior = posterior.map { $0.isNaN ? 0 : min(max($0, 0), 1) }
  }

  /// The byte of RFC 6464's header extension: the voice flag V over seven bits of −dBov.
  ///
  /// Pass `hasVoiceFlag: false` for senders that do not set V (`vad=off` in their SDP).
  public init(rfc6464 byte: UInt8, hasVoiceFlag: Bool = true) {
    let voice: Float = byte & 0x80 == 0 ? 0 : 1
    self.init(level: -Float(byte & 0x7F), posterior: hasVoiceFlag ? voice : nil)
  }

  /// A hop of ``VoiceActivityDetector``, for participants whose audio is decoded. A gap is no speech.
  public init(hop: VoiceActivityHop) {
    self.init(level: hop.levelDBFS, posterior: hop.isMissing ? 0 : hop.posterior)
  }

  /// The end of RFC 6464's scale, dBov.
  static let silence: Float = -127
}
