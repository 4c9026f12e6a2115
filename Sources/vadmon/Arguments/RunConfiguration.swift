import Annotations
import AudioInput
import RealTime
import SystemPackage
import VoiceActivity

extension RunConfiguration {
  init(_ options: AnalyzeOptions) {
    self.init(
      options.preset, options.detector, offsetFollowsOnset: options.offsetFollowsOnset,
      Self.settings(options.shaping) + Self.settings(options.rawFormat) + [
        Setting(options.channel),
        Setting(name: "reference", json: options.reference?.json ?? .null),
        Setting(name: "mute_timeline", json: options.mute.json),
        Setting(speakerMargin: options.speakerMargin),
      ])
    mayMute = options.mute != .never
  }

  /// Creates the configuration of live use. The parameters that the device accepted are reported separately.
  init(_ options: LiveOptions) {
    self.init(
      options.preset, options.detector, offsetFollowsOnset: options.offsetFollowsOnset,
      [
        Setting(options.channel), Setting(name: "muted", json: .bool(options.startsMuted)),
        Setting(name: "reference", json: options.reference.map { .string($0.device) } ?? .null),
        Setting(
          name: "reference_latency_ms",
          json: options.reference.map { .integer(MediaTime($0.latency).milliseconds) } ?? .null),
        Setting(speakerMargin: options.speakerMargin),
        Setting(
          name: "speaker_level_dbfs", json: options.speakerLevel.map { .float($0.dBFS) } ?? .null),
      ])
  }

  private init(
    _ preset: VoiceActivityDetector.Configuration.Preset,
    _ detector: VoiceActivityDetector.Configuration, offsetFollowsOnset: Bool,
    _ others: [Setting]
  ) {
    self.init(
      generator: Vadmon.generator,
      lookahead: MediaTime(VoiceActivityDetector.lookahead),
      settings: [Setting(name: "preset", json: .string(preset.rawValue))]
        + Self.settings(detector)
        + [Setting(name: "offset_follows_onset", json: .bool(offsetFollowsOnset))] + others)
  }

  private static func settings(_ detector: VoiceActivityDetector.Configuration) -> [Setting] {
    [
      Setting(name: "onset_threshold", json: .float(detector.onsetThreshold)),
      Setting(name: "offset_threshold", json: .float(detector.offsetThreshold)),
      Setting("onset_debounce_ms", MediaTime(detector.onsetDebounce)),
      Setting("hangover_ms", MediaTime(detector.hangover)),
      Setting("mute_grace_ms", MediaTime(detector.muteGrace)),
      Setting("mute_carry_over_ms", MediaTime(detector.muteCarryOver)),
      Setting("muted_speech_hold_ms", MediaTime(detector.mutedSpeechHold)),
      Setting("muted_speech_release_ms", MediaTime(detector.mutedSpeechRelease)),
    ]
  }

  /// Returns the format in which raw PCM on standard input is read.
  private static func settings(_ raw: RawPCMFormat) -> [Setting] {
    [
      Setting(name: "raw_rate_hz", json: .integer(raw.sampleRate)),
      Setting(name: "raw_sample_format", json: .string("\(raw.sampleFormat)")),
      Setting(name: "raw_channels", json: .integer(raw.channelCount)),
    ]
  }

  private static func settings(_ shaping: AnalyzeOptions.Shaping) -> [Setting] {
    [
      Setting("pad_ms", shaping.pad),
      Setting("min_speech_ms", shaping.minSpeech),
      Setting("min_silence_ms", shaping.minSilence),
    ]
  }
}

extension RunConfiguration {
  /// The settings as text, one on each line.
  var table: String {
    let rows =
      [("version", VoiceActivityDetector.version), ("lookahead_ms", "\(lookahead.milliseconds)")]
      + settings.map { ($0.name, $0.json.text) }
    let width = rows.map(\.0.count).max() ?? 0
    return rows.map { name, value in
      name + String(repeating: " ", count: width - name.count + 2) + value + "\n"
    }.joined()
  }
}

extension RunConfiguration.Setting {
  fileprivate init(_ name: String, _ length: MediaTime) {
    self.init(name: name, json: .integer(length.milliseconds))
  }

  /// The margin in dB; infinite if it is off.
  fileprivate init(speakerMargin: Float) {
    self.init(
      name: "speaker_margin_db", json: speakerMargin.isFinite ? .float(speakerMargin) : .null)
  }

  fileprivate init(_ channel: ChannelSelection) {
    self.init(name: "channel", json: .string(channel.description))
  }
}

extension AnalyzeOptions.Reference {
  /// The path, or the number of the channel.
  fileprivate var json: JSONValue {
    switch self {
    case .file(let path), .folder(let path): .string(path.string)
    case .channel(let number): .integer(number)
    }
  }
}

extension MuteTimeline {
  /// Pairs of seconds; an open end is null.
  var json: JSONValue {
    .array(
      intervals.map { interval in
        .array([.seconds(interval.start), interval.end.map { .seconds($0) } ?? .null])
      })
  }
}
