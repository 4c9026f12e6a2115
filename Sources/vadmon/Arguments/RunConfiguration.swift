import Annotations
import AudioInput
import RealTime
import SystemPackage
import VoiceActivity

extension RunConfiguration {
  init(_ options: AnalyzeOptions) {
    self.init(
      options.settings,
      options.shaping.settings + [Setting(.invert, options.isInverted)]
        + Self.settings(options.rawFormat) + [
          Setting(.from, options.part.start.duration), Setting(.to, options.part.end?.duration),
          Setting(.channel, options.channel), Setting(.reference, options.reference?.setting),
          Setting(.muteTimeline, options.mute), Setting(.speakerMargin, options.speakerMargin),
        ])
    mayMute = options.mute != .never
    isInverted = options.isInverted
    start = options.part.start
  }

  /// Creates the configuration of live use. The parameters that the device accepted are reported separately.
  init(_ options: LiveOptions) {
    self.init(
      options.settings,
      [
        Setting(.channel, options.channel), Setting(.muted, options.startsMuted),
        Setting(.reference, options.reference.map { .name($0.device) }),
        Setting(.referenceLatency, options.reference?.latency),
        Setting(.speakerMargin, options.speakerMargin),
        Setting(.speakerLevel, options.speakerLevel?.dBFS),
      ] + (options.segments?.shaping.settings ?? []))
  }

  /// Creates the configuration that a search begins with.
  init(_ options: TuneOptions) {
    self.init(
      options.settings, [Setting(.channel, options.channel)] + options.shaping.settings)
  }

  private init(_ detector: DetectorSettings, _ others: [Setting]) {
    self.init(
      generator: Vadmon.generator,
      lookahead: MediaTime(VoiceActivityDetector.lookahead),
      settings: [Setting(.preset, detector.preset)] + Self.settings(detector.configuration)
        + [Setting(.offsetFollowsOnset, detector.offsetFollowsOnset)] + others)
  }

  private static func settings(_ detector: VoiceActivityDetector.Configuration) -> [Setting] {
    [
      Setting(.onsetThreshold, detector.onsetThreshold),
      Setting(.offsetThreshold, detector.offsetThreshold),
    ] + LengthSetting.all.map { Setting($0.key, detector[keyPath: $0.place]) }
  }

  /// Returns the format in which raw PCM on standard input is read.
  private static func settings(_ raw: RawPCMFormat) -> [Setting] {
    [
      Setting(.rawRate, raw.sampleRate), Setting(.rawSampleFormat, raw.sampleFormat),
      Setting(.rawChannels, raw.channelCount),
    ]
  }
}

extension SegmentShaping {
  /// The settings under their names in JSON.
  var settings: [RunConfiguration.Setting] {
    [
      .init(.pad, pad.duration), .init(.minSpeech, minSpeech.duration),
      .init(.minSilence, minSilence.duration), .init(.split, split?.duration),
    ]
  }
}

extension RunConfiguration {
  /// Returns the settings with where each came from.
  func sourced(by detector: DetectorSettings) -> Self {
    var copy = self
    for index in settings.indices {
      copy.settings[index].source = detector.source(of: settings[index].name)
    }
    return copy
  }

  /// The settings as text, one on each line, with their sources.
  var table: String {
    let rows =
      [
        ("version", VoiceActivityDetector.version, nil),
        ("lookahead_ms", "\(lookahead.milliseconds)", nil),
      ] + settings.map { ($0.name, $0.json.text, $0.source) }
    let nameWidth = rows.map(\.0.count).max() ?? 0
    // A long timeline or path does not move the other sources away.
    let valueWidth = rows.map(\.1.count).filter { $0 <= 20 }.max() ?? 0
    return rows.map { name, value, source in
      let end = source.map { value.padded(to: valueWidth) + "  " + $0 } ?? value
      return name.padded(to: nameWidth) + "  " + end + "\n"
    }.joined()
  }
}

extension AnalyzeOptions.Reference {
  /// The path, or the number of the channel.
  fileprivate var setting: ReferenceSetting {
    switch self {
    case .file(let path), .folder(let path): .name(path.string)
    case .channel(let number): .channel(number)
    }
  }
}
