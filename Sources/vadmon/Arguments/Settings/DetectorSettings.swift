import VoiceActivity

/// The settings of the detector. Of what is given, each layer replaces what came before it, and a preset replaces the
/// settings that it has.
struct DetectorSettings: Sendable {
  typealias Preset = VoiceActivityDetector.Configuration.Preset

  private(set) var preset = Preset.conversation
  /// Each input's sample rate is set when the input is opened.
  private(set) var configuration = VoiceActivityDetector.Configuration()
  /// Whether the offset threshold was moved together with the onset threshold.
  private(set) var offsetFollowsOnset = false

  /// What files, the environment and the options give.
  private(set) var given = GivenSettings.none
  /// Where each setting that is not a default came from, by its name.
  private var sources: [String: String] = [:]

  /// The defaults.
  init() {}

  init(_ given: GivenSettings) throws(RunError) {
    self.given = given
    for layer in given.layers {
      apply(layer)
      if let error = fault { throw RunError(message(error, layer)) }
    }
  }

  /// Returns where a setting came from, as `--show-config` prints it.
  func source(of setting: String) -> String {
    sources[setting] ?? given.layer(giving: setting)?.source(of: setting) ?? "default"
  }

  private mutating func apply(_ layer: SettingLayer) {
    if let preset = layer[.preset] {
      use(preset)
      sources[SettingKey.preset.name] = layer.source(of: SettingKey.preset.name)
    }
    if let onset = layer[.onsetThreshold] {
      configuration.moveThresholds(onset: onset)
      offsetFollowsOnset = true
      let source = layer.source(of: SettingKey.onsetThreshold.name)
      for name in Self.thresholds { sources[name] = source }
    }
    if let offset = layer[.offsetThreshold] {
      configuration.offsetThreshold = offset
      offsetFollowsOnset = layer[.offsetFollowsOnset] ?? false
      let source = layer.source(of: SettingKey.offsetThreshold.name)
      for name in Self.thresholds.dropFirst() { sources[name] = source }
    }
    for setting in LengthSetting.all {
      guard let length = layer[setting.key] else { continue }
      configuration[keyPath: setting.place] = length
      sources[setting.key.name] = layer.source(of: setting.key.name)
    }
  }

  /// The onset threshold, and what moves with it.
  private static let thresholds = [
    SettingKey.onsetThreshold.name, SettingKey.offsetThreshold.name,
    SettingKey.offsetFollowsOnset.name,
  ]

  /// Replaces the settings that a preset has.
  private mutating func use(_ preset: Preset) {
    self.preset = preset
    let values = VoiceActivityDetector.Configuration(preset: preset)
    configuration.onsetThreshold = values.onsetThreshold
    configuration.offsetThreshold = values.offsetThreshold
    for setting in LengthSetting.all where setting.isOfPreset {
      configuration[keyPath: setting.place] = values[keyPath: setting.place]
    }
    offsetFollowsOnset = false
    let lengths = LengthSetting.all.filter(\.isOfPreset).map(\.key.name)
    for name in Self.thresholds + lengths { sources[name] = "preset \(preset.rawValue)" }
  }

  private var fault: VoiceActivityError? {
    do { try configuration.validate() } catch { return error }
    return nil
  }

  private func message(_ error: VoiceActivityError, _ layer: SettingLayer) -> String {
    let (onset, offset) = (Self.thresholds[0], Self.thresholds[1])
    guard error == .threshold else { return "\(layer.name): \(error)" }
    let threshold =
      layer.gives(onset) ? layer.spelling(of: onset) : "the onset threshold (\(source(of: onset)))"
    return """
      \(layer.label(of: offset)) is \(configuration.offsetThreshold) and \(threshold) is \
      \(configuration.onsetThreshold): choose them so that 0 < offset <= onset < 1
      """
  }
}

/// A setting of the detector that is a length.
struct LengthSetting {
  typealias Place = WritableKeyPath<VoiceActivityDetector.Configuration, Duration>

  let key: SettingKey<Duration>
  let option: String
  let place: Place
  /// Whether a preset sets it.
  let isOfPreset: Bool

  private init(
    _ key: SettingKey<Duration>, _ option: String, _ place: Place, isOfPreset: Bool = false
  ) {
    (self.key, self.option, self.place, self.isOfPreset) = (key, option, place, isOfPreset)
  }

  static var all: [Self] {
    [
      // contract: length
      Self(.onsetDebounce, "--onset-debounce", \.onsetDebounce, isOfPreset: true),
      Self(.hangover, "--hangover", \.hangover, isOfPreset: true),
      Self(.muteGrace, "--mute-grace", \.muteGrace),
      Self(.muteCarryOver, "--mute-carry-over", \.muteCarryOver),
      Self(.mutedSpeechHold, "--muted-hold", \.mutedSpeechHold),
      Self(.mutedSpeechRelease, "--muted-release", \.mutedSpeechRelease),
      // contract end
    ]
  }
}
