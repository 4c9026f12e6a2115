import Annotations
import ArgumentParser
import RealTime
import VoiceActivity

/// The options that decide whether a hop is speech, and when speech is muted speech.
struct DetectorOptions: ParsableArguments {
  private static let defaults = VoiceActivityDetector.Configuration()

  private static func shown(_ length: Duration) -> String {
    " (default: \(LengthArgument(length)))"
  }

  @Option(
    help: ArgumentHelp("The use that the four settings below are tuned for.", valueName: "NAME"))
  var preset = VoiceActivityDetector.Configuration.Preset.conversation

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Probability from which speech may begin, above 0 and below 1. Without --offset-threshold, "
        + "the offset threshold moves by the same amount, but not below a third of P.",
      valueName: "P"),
    transform: NumberArguments.probability)
  var onsetThreshold: Float?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Probability below which speech may end, at most the onset threshold.", valueName: "P"),
    transform: NumberArguments.probability)
  var offsetThreshold: Float?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How long the probability must stay at the onset threshold or above before speech begins.",
      valueName: "LENGTH"),
    transform: LengthArgument.init(parsing:))
  var onsetDebounce: LengthArgument?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How long the probability must stay below the offset threshold before speech ends.",
      valueName: "LENGTH"),
    transform: LengthArgument.init(parsing:))
  var hangover: LengthArgument?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Speech that begins within this time after muting is the end of a sentence."
        + shown(defaults.muteGrace),
      valueName: "LENGTH"),
    transform: LengthArgument.init(parsing:))
  var muteGrace = LengthArgument(defaults.muteGrace)

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Speech from before muting counts if it continues for this long after the grace."
        + shown(defaults.muteCarryOver),
      valueName: "LENGTH"), transform: LengthArgument.init(parsing:))
  var muteCarryOver = LengthArgument(defaults.muteCarryOver)

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Muted speech lasts at least this long, unless the microphone is unmuted."
        + shown(defaults.mutedSpeechHold),
      valueName: "LENGTH"),
    transform: LengthArgument.init(parsing:))
  var mutedHold = LengthArgument(defaults.mutedSpeechHold)

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How long muted speech continues after speech has ended."
        + shown(defaults.mutedSpeechRelease),
      valueName: "LENGTH"),
    transform: LengthArgument.init(parsing:))
  var mutedRelease = LengthArgument(defaults.mutedSpeechRelease)

  /// Whether `--onset-threshold` was given and `--offset-threshold` was not.
  var offsetFollowsOnset: Bool { onsetThreshold != nil && offsetThreshold == nil }

  /// Returns the detector's configuration. Each input's sample rate is set when the input is opened.
  func validated() throws(UsageError) -> VoiceActivityDetector.Configuration {
    var configuration = VoiceActivityDetector.Configuration(preset: preset)
    if let onsetThreshold { configuration.moveThresholds(onset: onsetThreshold) }
    if let offsetThreshold { configuration.offsetThreshold = offsetThreshold }
    if let onsetDebounce { configuration.onsetDebounce = onsetDebounce.duration }
    if let hangover { configuration.hangover = hangover.duration }
    configuration.muteGrace = muteGrace.duration
    configuration.muteCarryOver = muteCarryOver.duration
    configuration.mutedSpeechHold = mutedHold.duration
    configuration.mutedSpeechRelease = mutedRelease.duration
    do {
      try configuration.validate()
    } catch {
      throw UsageError(Self.message(for: error, in: configuration))
    }
    return configuration
  }

  private static func message(
    for error: VoiceActivityError, in configuration: VoiceActivityDetector.Configuration
  ) -> String {
    guard error == .threshold else { return "\(error)" }
    return """
      --offset-threshold is \(configuration.offsetThreshold) and --onset-threshold is \
      \(configuration.onsetThreshold) (what is not given is the preset's): choose them so that \
      0 < offset <= onset < 1
      """
  }
}

extension VoiceActivityDetector.Configuration {
  /// Sets the onset threshold and moves the offset threshold by the same amount, but not below a third of the onset
  /// threshold.
  fileprivate mutating func moveThresholds(onset: Float) {
    let distance = onsetThreshold - offsetThreshold
    onsetThreshold = onset
    guard onset > 0, onset < 1 else { return }
    let offset = max(onset - distance, onset / 3)
    // Round to six decimals, to drop the excess digits of floats. Below 0.001, keep the value, which would round to 0.
    offsetThreshold = offset < 1e-3 ? offset : (offset * 1e6).rounded() / 1e6
  }
}

extension LengthArgument {
  var duration: Duration { .milliseconds(Int64(length.milliseconds)) }
}

extension MediaTime {
  /// Creates a time from a duration, rounded up to whole milliseconds. A negative duration gives zero.
  init(_ duration: Duration) {
    self.init(milliseconds: UInt64(max(0, duration.millisecondsRoundedUp)))
  }
}
