/// A handle through which any thread may mute a detector and read its status while another thread analyses.
/// ```swift
/// let control = detector.control  // before the detector moves to its thread
/// if control.status.isMutedSpeech { … }
/// ```
/// A control never waits and never delays the analysis. It outlives its detector; the status then stays as it was.
///
/// Threads: any.
public struct VoiceActivityControl: Sendable {
  private let core: DetectorCore

  init(_ core: DetectorCore) { self.core = core }

  /// Mutes or unmutes, effective with the next hop. The analysis continues; muting only labels speech.
  public func setMuted(_ isMuted: Bool) { core.setMuted(isMuted) }

  /// The detector's status, at most one hop old.
  public var status: VoiceActivityStatus { VoiceActivityStatus(core.cStatus) }

  /// What the detector has counted since it was made.
  public var totals: VoiceActivityTotals { core.totals }

  /// How long the detector's calls took; empty if it was made without `isTimed`.
  public var times: VoiceActivityTimes { core.times }

  /// What the input contained since the start or the last reset.
  public var inputCounts: VoiceActivityDetector.InputCounts { .init(core.cStatus) }
}
