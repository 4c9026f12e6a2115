import VoiceActivity

/// Everything that a meter shows, as plain values: what is drawn depends on nothing else.
struct MeterState: Sendable, Hashable {
  /// The newest hop.
  struct Reading: Sendable, Hashable {
    var state: SpeechState
    /// 0 … 1.
    var posterior: Float
    var levelDBFS: Float
    var peakDBFS: Float
    var noiseFloorDBFS: Float
    /// In hangover, the time left.
    var hangoverLeft: Timestamp
  }

  enum Recording: Sendable, Hashable {
    case off, on
    /// It had to end.
    case failed
  }

  /// What is listened to: "default, 48000 Hz, 2 channels".
  var input: String
  var onsetThreshold: Float
  var offsetThreshold: Float
  /// How long the stream is.
  var elapsed = Timestamp.zero
  /// `nil`: there is no hop yet.
  var reading: Reading?
  var isMuted = false
  /// As long as it is so, which may be longer than the notice is shown.
  var isSpeakingWhileMuted = false
  /// "You are muted" is to be shown.
  var showsNotice = false
  /// What is wrong with the device or the signal, and has not passed; the worst first.
  var troubles: [String] = []
  var recording = Recording.off
  var gapCount: UInt64 = 0
  var lost = Timestamp.zero
  var segmentCount = 0
  var speech = Timestamp.zero
  /// Where speech was.
  var strip = ActivityStrip()
  /// The drawing stands still.
  var isFrozen = false
  /// There is a keyboard to press keys on.
  var hasKeys = false
}

extension MeterState.Reading {
  init(_ hop: VoiceActivityHop) {
    state = hop.state
    posterior = hop.posterior
    levelDBFS = hop.levelDBFS
    peakDBFS = hop.peakDBFS
    noiseFloorDBFS = hop.backgroundDBFS
    hangoverLeft = Timestamp(hop.hangoverLeft)
  }
}

extension VoiceActivityHop {
  /// The tracked background, but no more than the hop's own peak: the tracker takes what it hears for noise, whose
  /// mean lies above its least level, and is too high where a tone is steady.
  var backgroundDBFS: Float { min(noiseFloorDBFS, peakDBFS) }
}

extension MeterState {
  static let notice = "You are muted. Unmute to speak."
  /// After the notice.
  static let stillSpeaking = "still speaking"

  var isStillSpeaking: Bool { isMuted && isSpeakingWhileMuted && !showsNotice }

  /// The state and why it is that: `speech: 0.93 ≥ 0.65`.
  var reason: String {
    guard let reading else { return noReading }
    let posterior = Double(reading.posterior)
    let value = fixed(posterior, places: 2)
    let (onset, offset) = (Self.threshold(onsetThreshold), Self.threshold(offsetThreshold))
    return switch reading.state {
    case .silence: "silence: \(value) < \(onset)"
    case .pendingOnset: "speech perhaps: \(value) ≥ \(onset), not for long enough yet"
    case .speech where reading.posterior >= onsetThreshold: "speech: \(value) ≥ \(onset)"
    case .speech: "speech still: \(value) ≥ \(offset)"
    case .hangover: "hangover, \(reading.hangoverLeft.milliseconds) ms left: \(value) < \(offset)"
    }
  }

  /// Before the first hop, and while the device is gone.
  var noReading: String { elapsed == .zero ? "no sound yet" : "no sound" }

  /// `2 gaps, 0.030 s lost`, if there are any.
  var losses: String? {
    guard gapCount > 0 else { return nil }
    return "\(gapCount) \(gapCount == 1 ? "gap" : "gaps"), \(lost.seconds) s lost"
  }

  private static func threshold(_ value: Float) -> String { fixed(Double(value), places: 2) }
}

extension SignalHealth {
  /// What to tell whoever looks, if something is wrong.
  var trouble: String? {
    switch self {
    case .good, .starting: nil
    default: description
    }
  }
}
