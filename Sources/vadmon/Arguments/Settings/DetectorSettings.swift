import VoiceActivity

/// The settings of the detector, made from a preset, a file and options: each replaces what came before it.
struct DetectorSettings: Sendable {
  typealias Preset = VoiceActivityDetector.Configuration.Preset

  private(set) var preset = Preset.conversation
  /// Each input's sample rate is set when the input is opened.
  private(set) var configuration = VoiceActivityDetector.Configuration()
  /// Whether the offset threshold was moved together with the onset threshold.
  private(set) var offsetFollowsOnset = false

  /// What a file or the options give; `nil` where they give nothing.
  struct Layer {
    var preset: Preset?
    var onsetThreshold: Float?
    var offsetThreshold: Float?
    var lengths: [LengthSetting.Place: Duration] = [:]
    /// How a file came by its offset threshold.
    var offsetFollowsOnset: Bool?
  }

  /// The defaults.
  init() {}

  /// Creates the settings of a file and of options.
  init(_ file: SettingsFile, _ options: Layer) throws(UsageError) {
    apply(Layer(file))
    if let error = fault {
      throw UsageError(
        "\(file.name): \(message(error, SettingKey.offsetThreshold.name, SettingKey.onsetThreshold.name))"
      )
    }
    apply(options)
    let base = file.members.isEmpty ? "the preset's" : "that of \(file.name) or of the preset"
    if let error = fault {
      throw UsageError(
        message(
          error, "--offset-threshold", "--onset-threshold", " (what is not given is \(base))"))
    }
  }

  private mutating func apply(_ layer: Layer) {
    if let preset = layer.preset { use(preset) }
    if let onset = layer.onsetThreshold {
      configuration.moveThresholds(onset: onset)
      offsetFollowsOnset = true
    }
    if let offset = layer.offsetThreshold {
      configuration.offsetThreshold = offset
      offsetFollowsOnset = layer.offsetFollowsOnset ?? false
    }
    for (place, length) in layer.lengths { configuration[keyPath: place] = length }
  }

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
  }

  private var fault: VoiceActivityError? {
    do { try configuration.validate() } catch { return error }
    return nil
  }

  private func message(
    _ error: VoiceActivityError, _ offset: String, _ onset: String, _ note: String = ""
  ) -> String {
    guard error == .threshold else { return "\(error)" }
    return """
      \(offset) is \(configuration.offsetThreshold) and \(onset) is \
      \(configuration.onsetThreshold)\(note): choose them so that 0 < offset <= onset < 1
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

extension DetectorSettings.Layer {
  init(_ file: SettingsFile) {
    self.init(
      preset: file[.preset], onsetThreshold: file[.onsetThreshold],
      offsetThreshold: file[.offsetThreshold], offsetFollowsOnset: file[.offsetFollowsOnset])
    for setting in LengthSetting.all { lengths[setting.place] = file[setting.key] }
  }
}
