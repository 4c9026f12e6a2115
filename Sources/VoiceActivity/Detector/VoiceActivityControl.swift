/// What any thread may do with a detector, whoever analyses meanwhile: mute it, and look how it stands.
///
/// ```swift
/// let control = detector.control  // before the detector moves to its thread
/// control.setMuted(true)
/// if control.status.isMutedSpeech { … }
/// ```
/// A control neither waits nor holds anybody up. It outlives its detector; then the status stays as it was.
///
/// Threads: any.
public struct VoiceActivityControl: Sendable {
  private let core: DetectorCore

  init(_ core: DetectorCore) { self.core = core }

  /// Mutes or unmutes, effective with the next hop. Analysis goes on; muting only labels speech.
  public func setMuted(_ isMuted: Bool) { core.setMuted(isMuted) }

  /// How the detector stands, at most one hop old.
  public var status: VoiceActivityStatus { VoiceActivityStatus(core.cStatus) }

  /// What the detector has counted.
  public var totals: VoiceActivityTotals { core.totals }

  /// How long its calls took; nothing if it was made without `isTimed`.
  public var times: VoiceActivityTimes { core.times }

  /// What the input held since the start or the last reset.
  public var inputCounts: VoiceActivityDetector.InputCounts { .init(core.cStatus) }
}
