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
    var onsetDebounce: Duration?
    var hangover: Duration?
    var muteGrace: Duration?
    var muteCarryOver: Duration?
    var mutedSpeechHold: Duration?
    var mutedSpeechRelease: Duration?
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
    if let length = layer.onsetDebounce { configuration.onsetDebounce = length }
    if let length = layer.hangover { configuration.hangover = length }
    if let length = layer.muteGrace { configuration.muteGrace = length }
    if let length = layer.muteCarryOver { configuration.muteCarryOver = length }
    if let length = layer.mutedSpeechHold { configuration.mutedSpeechHold = length }
    if let length = layer.mutedSpeechRelease { configuration.mutedSpeechRelease = length }
  }

  /// Replaces the four settings that a preset has.
  private mutating func use(_ preset: Preset) {
    self.preset = preset
    let values = VoiceActivityDetector.Configuration(preset: preset)
    configuration.onsetThreshold = values.onsetThreshold
    configuration.offsetThreshold = values.offsetThreshold
    configuration.onsetDebounce = values.onsetDebounce
    configuration.hangover = values.hangover
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

extension DetectorSettings.Layer {
  init(_ file: SettingsFile) {
    self.init(
      preset: file[.preset], onsetThreshold: file[.onsetThreshold],
      offsetThreshold: file[.offsetThreshold], onsetDebounce: file[.onsetDebounce],
      hangover: file[.hangover], muteGrace: file[.muteGrace], muteCarryOver: file[.muteCarryOver],
      mutedSpeechHold: file[.mutedSpeechHold], mutedSpeechRelease: file[.mutedSpeechRelease],
      offsetFollowsOnset: file[.offsetFollowsOnset])
  }
}
