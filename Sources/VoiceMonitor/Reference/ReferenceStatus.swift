public import VoiceActivity

/// What a monitor knows of the reference that its microphone is analysed beside.
public struct ReferenceStatus: Sendable, Hashable {
  /// Whether samples of the reference arrive. While none do, the detector decides as without a reference.
  public internal(set) var isDelivering: Bool
  /// What was found of the echo.
  public internal(set) var echo: EchoStatus
}
