/// How a ``VoiceActivityMonitor`` stands: all of one moment.
public struct MonitorSnapshot: Sendable, Hashable {
  /// Frames that were listened to, lost ones included.
  public internal(set) var position: UInt64 = 0
  /// Of the source that is listened to, Hz.
  public internal(set) var sampleRate: Int
  /// The newest hop that was decided.
  public internal(set) var hop: VoiceActivityHop?
  /// ``VoiceActivityMonitor/run()`` has begun and not ended.
  public internal(set) var isRunning = false
  /// As the host has last said.
  public internal(set) var isMuted: Bool
  /// The present value of ``VoiceActivityMonitor/isSpeakingWhileMuted``.
  public internal(set) var isSpeakingWhileMuted = false
  /// The present value of ``VoiceActivityMonitor/health``.
  public internal(set) var health = SignalHealth.starting
  /// Clipped, NaN or infinite, and lost frames of the source.
  public internal(set) var inputCounts = VoiceActivityDetector.InputCounts(
    clipped: 0, nonFinite: 0, missing: 0)
  /// How many gaps the lost frames made.
  public internal(set) var gapCount = 0
}
