/// Something that happened while a ``VoiceActivityMonitor`` ran. Positions are absolute frames of the
/// source, lost ones included.
public struct MonitorEvent: Sendable, Hashable {
  /// What kinds of things happen.
  public enum Kind: Sendable, Hashable {
    /// Speech began; the position is the start of the first hop above the onset threshold.
    case onset
    /// Speech ended; the position is the end of the last hop above the offset threshold.
    case offset
    /// Frames were lost; the position is the first of them.
    case discontinuity(missingFrames: UInt64)
    /// The microphone was muted or unmuted.
    case muted(Bool)
    /// ``VoiceActivityMonitor/isSpeakingWhileMuted`` has changed.
    case speakingWhileMuted(Bool)
    /// ``VoiceActivityMonitor/health`` has changed.
    case health(SignalHealth)
    /// The wall clock and the positions have moved apart: the computer slept, or the clock was set.
    case clock(ClockShift)
    /// Another source took over; positions start at 0 and count its frames.
    case sourceReplaced(sampleRate: Int)
    /// The observer was too slow for so many events, which it does not get.
    case dropped(count: Int)
  }

  /// What happened.
  public let kind: Kind
  /// Where it happened.
  public let position: UInt64
  /// How far the monitor had listened when it knew.
  public let decidedAt: UInt64
}
