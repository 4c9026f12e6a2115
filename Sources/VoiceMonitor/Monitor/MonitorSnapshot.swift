public import VoiceActivity

/// The state of a ``VoiceActivityMonitor`` at one moment.
public struct MonitorSnapshot: Sendable, Hashable {
  /// Frames analysed so far, lost frames included.
  public internal(set) var position: UInt64 = 0
  /// The sample rate of the present source in Hz.
  public internal(set) var sampleRate: Int
  /// The newest hop decided.
  public internal(set) var hop: VoiceActivityHop?
  /// Whether ``VoiceActivityMonitor/run()`` has begun and not ended.
  public internal(set) var isRunning = false
  /// Whether the host has muted the microphone.
  public internal(set) var isMuted = false
  /// The present value of ``VoiceActivityMonitor/isSpeakingWhileMuted``.
  public internal(set) var isSpeakingWhileMuted = false
  /// The present value of ``VoiceActivityMonitor/health``.
  public internal(set) var health = SignalHealth.starting
  /// What is known of the reference; `nil` without one.
  public internal(set) var reference: ReferenceStatus?
  /// The source's clipped, non-finite (NaN or infinite) and lost frames.
  public internal(set) var inputCounts = VoiceActivityDetector.InputCounts()
  /// The user's own level at the present device; `nil` before anything was learned. Keep it for the next session:
  /// ``VoiceActivityMonitor/Configuration/speakerLevel``.
  public internal(set) var speakerLevel: VoiceActivityDetector.SpeakerLevel?
  /// The number of gaps that the lost frames form.
  public internal(set) var gapCount = 0
  /// The number of segments reported so far (``MonitorEvent/Kind/segment(_:)``).
  public internal(set) var segmentCount = 0
  /// What the next segment surely contains, in samples (`SpeechCutter.beginning`). It is of the same moment as
  /// ``segmentCount``: a host that has taken that many segments can forget the sound before the range.
  public internal(set) var segmentBeginning: Range<UInt64> = 0..<0
}
