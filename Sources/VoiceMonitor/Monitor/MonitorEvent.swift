public import VoiceActivity

/// Something that happened while a ``VoiceActivityMonitor`` ran. Positions are absolute frames of the source, lost
/// frames included.
public struct MonitorEvent: Sendable, Hashable {
  /// The kinds of events.
  public enum Kind: Sendable, Hashable {
    /// Speech began; the position is where the posterior rose, as in `VoiceActivityEvent.Kind.onset`.
    case onset
    /// Speech ended; the position is the end of the last hop at or above the offset threshold.
    case offset
    /// Frames were lost; the position is the first of them.
    case discontinuity(missingFrames: UInt64)
    /// The microphone was muted or unmuted.
    case muted(Bool)
    /// ``VoiceActivityMonitor/isSpeakingWhileMuted`` changed.
    case speakingWhileMuted(Bool)
    /// ``VoiceActivityMonitor/health`` changed.
    case health(SignalHealth)
    /// The reference began to deliver, or gave nothing for a second. Without it the detector decides as without a
    /// reference.
    case reference(isDelivering: Bool)
    /// A segment to save is complete, by the rules of ``VoiceActivityMonitor/Configuration/cutRules``; the position is
    /// its end.
    case segment(SpeechCut)
    /// The wall clock and the positions have moved apart: the computer slept, or the clock was set.
    case clock(ClockShift)
    /// Another source took over. Positions start again at 0 and count its frames.
    case sourceReplaced(sampleRate: Int)
    /// The observer was too slow, and this many events were dropped for it.
    case dropped(count: Int)
  }

  /// What happened.
  public let kind: Kind
  /// The position that `kind` describes.
  public let position: UInt64
  /// The position that the monitor had reached when it decided. It never falls from event to event of a source.
  public let decidedAt: UInt64
}
