internal import CVoiceActivity

/// The contents of RFC 6464's header extension: a packet's level and its sender's voice flag.
public struct AudioLevel: Sendable, Hashable {
  /// Level in −dBov, 0 (loudest) … 127 (silence).
  public let dBov: UInt8
  /// Whether the sender takes the packet for speech.
  public let hasVoice: Bool

  /// Creates a level. Values above 127 are limited to 127.
  public init(dBov: UInt8, hasVoice: Bool) {
    self.dBov = min(dBov, 127)
    self.hasVoice = hasVoice
  }

  /// Creates a level from the extension's byte, which holds the voice flag in its top bit and the level in the other
  /// seven.
  public init(byte: UInt8) {
    self.init(dBov: va_rfc6464_level(byte), hasVoice: va_rfc6464_voice(byte))
  }

  /// The byte to send in the extension.
  public var byte: UInt8 { va_rfc6464_byte(dBov, hasVoice) }
}

extension VoiceActivityHop {
  /// The level and the decision to send in the header extension of a packet that holds this hop.
  public var audioLevel: AudioLevel { AudioLevel(dBov: levelDBov, hasVoice: isSpeech) }
}
