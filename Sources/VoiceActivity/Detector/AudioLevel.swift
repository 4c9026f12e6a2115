internal import CVoiceActivity

/// What RFC 6464's header extension says of a packet: how loud it is, and whether its sender takes it for speech.
public struct AudioLevel: Sendable, Hashable {
  /// Level in −dBov, 0 (loudest) … 127 (silence).
  public let dBov: UInt8
  /// The sender's own decision.
  public let hasVoice: Bool

  /// Levels above 127 count as 127.
  public init(dBov: UInt8, hasVoice: Bool) {
    self.dBov = min(dBov, 127)
    self.hasVoice = hasVoice
  }

  /// From the extension's byte: the voice flag over seven bits of level.
  public init(byte: UInt8) {
    self.init(dBov: va_rfc6464_level(byte), hasVoice: va_rfc6464_voice(byte))
  }

  /// For the extension.
  public var byte: UInt8 { va_rfc6464_byte(dBov, hasVoice) }
}

extension VoiceActivityHop {
  /// What to tell others of it.
  public var audioLevel: AudioLevel { AudioLevel(dBov: levelDBov, hasVoice: isSpeech) }
}
