import Annotations
import Charts
import VoiceActivity
import VoiceMonitor

/// Everything that a meter shows, as plain values. The drawing depends on nothing else.
struct MeterState: Sendable, Hashable {
  /// The newest hop.
  struct Reading: Sendable, Hashable {
    var state: SpeechState
    /// The posterior, 0 … 1.
    var posterior: Float
    var levelDBFS: Float
    var peakDBFS: Float
    var noiseFloorDBFS: Float
    /// The time left in the hangover.
    var hangoverLeft: MediaTime
    /// Whether what was heard was only echo.
    var isEcho = false
  }

  enum Recording: Sendable, Hashable {
    case off, on
    /// The recording had to end.
    case failed

    func text(_ style: TextStyle) -> String {
      switch self {
      case .off: ""
      case .on: style.bad("● REC")
      case .failed: style.warning("recording ended")
      }
    }
  }

  /// The input, such as "default: 48000 Hz, 2 channels, S16_LE".
  var input: String
  var onsetThreshold: Float
  var offsetThreshold: Float
  /// The length of the stream so far.
  var elapsed = MediaTime.zero
  /// The newest reading; `nil` before the first hop and while the device is not capturing.
  var reading: Reading?
  var isMuted = false
  /// The user's own level; `nil` before it has an effect.
  var ownLevelDBFS: Float?
  /// What is known of the reference; `nil` without one.
  var reference: ReferenceStatus?
  /// Whether the user is speaking while muted. This may last longer than the notice.
  var isSpeakingWhileMuted = false
  /// Whether to show "You are muted".
  var showsNotice = false
  /// The present problems of the device or the signal, the worst first.
  var troubles: [String] = []
  var recording = Recording.off
  var gapCount: UInt64 = 0
  var lost = MediaTime.zero
  var segmentCount = 0
  var speech = MediaTime.zero
  /// The overview of speech.
  var strip = ActivityStrip()
  /// Whether the drawing is frozen.
  var isFrozen = false
  /// Whether keys can be pressed.
  var hasKeys = false
}

extension MeterState {
  /// What a meter shows while it waits for a device.
  init(_ options: LiveOptions, waiting change: DeviceChange) {
    let name = if case .device(let name, _) = options.input { name } else { "" }
    self.init(
      input: printable(name), onsetThreshold: options.detector.onsetThreshold,
      offsetThreshold: options.detector.offsetThreshold)
    troubles = [change.sentence]
  }
}

extension MeterState.Reading {
  init(_ hop: VoiceActivityHop) {
    state = hop.state
    posterior = hop.posterior
    levelDBFS = hop.levelDBFS
    peakDBFS = hop.peakDBFS
    noiseFloorDBFS = hop.backgroundDBFS
    hangoverLeft = MediaTime(hop.hangoverLeft)
    isEcho = hop.isEcho
  }
}

extension VoiceActivityHop {
  /// The tracked background level, limited to the hop's peak. The tracker takes steady sound for noise, whose mean lies
  /// above its minimum, and so is too high for a steady tone.
  var backgroundDBFS: Float { min(noiseFloorDBFS, peakDBFS) }
}

extension MeterState {
  static let notice = MutedNotice.Configuration().text
  /// The text after the notice has ended.
  static let stillSpeaking = "still speaking"

  var isStillSpeaking: Bool { isMuted && isSpeakingWhileMuted && !showsNotice }

  /// The state and its reason: `speech: 0.93 ≥ 0.82`.
  var reason: String {
    guard let reading else { return noReading }
    let posterior = Double(reading.posterior)
    let value = fixed(posterior, places: 2)
    let (onset, offset) = (Self.threshold(onsetThreshold), Self.threshold(offsetThreshold))
    return switch reading.state {
    case .silence where reading.isEcho: "only echo: \(value) < \(onset)"
    case .silence: "silence: \(value) < \(onset)"
    case .pendingOnset: "speech perhaps: \(value) ≥ \(onset), not for long enough yet"
    case .speech where reading.posterior >= onsetThreshold: "speech: \(value) ≥ \(onset)"
    case .speech: "speech still: \(value) ≥ \(offset)"
    case .hangover: "hangover, \(reading.hangoverLeft.milliseconds) ms left: \(value) < \(offset)"
    }
  }

  /// What was found of the echo, such as `after 160 ms, fit 0.88`; `nil` without a reference.
  var echo: String? {
    guard let reference else { return nil }
    guard reference.isDelivering else { return "gives no data" }
    let echo = reference.echo
    return
      "after \(MediaTime(echo.delay).milliseconds) ms, fit \(fixed(Double(echo.fit), places: 2))"
  }

  /// The text before the first hop and while the device is gone.
  var noReading: String { elapsed == .zero ? "no sound yet" : "no sound" }

  /// The losses, such as `2 gaps, 0.030 s lost`; `nil` if there are none.
  var losses: String? {
    guard gapCount > 0 else { return nil }
    return "\(counted(gapCount, "gap")), \(lost.seconds) s lost"
  }

  private static func threshold(_ value: Float) -> String { fixed(Double(value), places: 2) }
}

extension SignalHealth {
  /// The sentence to show if something is wrong; `nil` if nothing is.
  var trouble: String? {
    switch self {
    case .good, .starting: nil
    default: sentence
    }
  }

  /// The description, with the options that help.
  var sentence: String {
    self == .cancelling
      ? "The input's channels cancel each other when they are mixed: add --channel any, or --channel with the number of one."
      : description
  }
}
