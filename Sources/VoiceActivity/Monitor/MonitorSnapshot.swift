/// How a ``VoiceActivityMonitor`` stands: all of one moment.
public struct MonitorSnapshot: Sendable, Hashable {
  /// Frames that were listened to, lost ones included.
  public internal(set) var position: UInt64 = 0
  /// Of the source that is listened to, Hz.
  public internal(set) var sampleRate: Int
  /// The newest hop that was decided.
  public internal(set) var hop: VoiceActivityHop?
  public internal(set) var isRunning = false
  public internal(set) var isMuted: Bool
  public internal(set) var isSpeakingWhileMuted = false
  public internal(set) var health = SignalHealth.starting
  /// Clipped, NaN or infinite, and lost frames of the source.
  public internal(set) var inputCounts = VoiceActivityDetector.InputCounts(
    clipped: 0, nonFinite: 0, missing: 0)
  /// How many gaps the lost frames made.
  public internal(set) var gapCount = 0
}
