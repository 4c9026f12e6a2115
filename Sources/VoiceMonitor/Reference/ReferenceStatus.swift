public import VoiceActivity

/// What a monitor knows of the reference that its microphone is analysed beside.
public struct ReferenceStatus: Sendable, Hashable {
  /// Whether samples of the reference arrive. While none do, the detector decides as without a reference.
  public internal(set) var isDelivering: Bool
  /// Whether it is aligned with the microphone by the times at which both were captured. Otherwise a source does not
  /// know them (`PCMSource.startTime`), and the order of arrival, which a busy machine disturbs, has to do.
  public internal(set) var isTimed: Bool
  /// Whether the microphone delivers the samples of the reference themselves, as if both were one device, or one a copy
  /// of the other. Then all of it counts as echo, and nothing of the user is reported.
  public internal(set) var isCopy: Bool
  /// What was found of the echo.
  public internal(set) var echo: EchoStatus
}
