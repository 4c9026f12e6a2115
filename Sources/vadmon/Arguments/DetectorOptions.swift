import Annotations
import ArgumentParser
import RealTime
import VoiceActivity

/// The options that decide whether a hop is speech.
struct DecisionOptions: ParsableArguments {
  @Option(
    "The use that the four settings below are tuned for. (default: conversation)", value: "NAME")
  var preset: VoiceActivityDetector.Configuration.Preset?

  @Option(
    "Probability from which speech may begin, above 0 and below 1. Without --offset-threshold, "
      + "the offset threshold moves by the same amount, but not below a third of P.",
    value: "P", read: NumberArguments.probability)
  var onsetThreshold: Float?

  @Option(
    "Probability below which speech may end, at most the onset threshold.",
    value: "P", read: NumberArguments.probability)
  var offsetThreshold: Float?

  @Option(
    "How long the probability must stay at the onset threshold or above before speech begins.",
    value: "LENGTH", read: LengthArgument.init(parsing:))
  var onsetDebounce: LengthArgument?

  @Option(
    "How long the probability must stay below the offset threshold before speech ends.",
    value: "LENGTH", read: LengthArgument.init(parsing:))
  var hangover: LengthArgument?

  @OptionGroup var configuration: ConfigurationOptions

  var settings: [JSONValue.Member?] {
    [
      .init(.preset, given: preset), .init(.onsetThreshold, given: onsetThreshold),
      .init(.offsetThreshold, given: offsetThreshold),
      .init(.onsetDebounce, given: onsetDebounce?.duration),
      .init(.hangover, given: hangover?.duration),
    ]
  }
}

/// The options that decide whether a hop is speech, and when speech is muted speech.
struct DetectorOptions: ParsableArguments {
  private static let defaults = VoiceActivityDetector.Configuration()

  private static func shown(_ length: Duration) -> String {
    " (default: \(LengthArgument(length)))"
  }

  @OptionGroup var decision: DecisionOptions

  @Option(
    "Speech that begins within this time after muting is the end of a sentence."
      + shown(defaults.muteGrace),
    value: "LENGTH", read: LengthArgument.init(parsing:))
  var muteGrace: LengthArgument?

  @Option(
    "Speech from before muting, or from within the grace, counts if it continues for this long after the grace."
      + shown(defaults.muteCarryOver),
    value: "LENGTH", read: LengthArgument.init(parsing:))
  var muteCarryOver: LengthArgument?

  @Option(
    "Muted speech lasts at least this long, unless the microphone is unmuted."
      + shown(defaults.mutedSpeechHold),
    value: "LENGTH", read: LengthArgument.init(parsing:))
  var mutedHold: LengthArgument?

  @Option(
    "How long muted speech continues after speech has ended."
      + shown(defaults.mutedSpeechRelease),
    value: "LENGTH", read: LengthArgument.init(parsing:))
  var mutedRelease: LengthArgument?

  var settings: [JSONValue.Member?] {
    decision.settings + [
      // contract: length
      .init(.muteGrace, given: muteGrace?.duration),
      .init(.muteCarryOver, given: muteCarryOver?.duration),
      .init(.mutedSpeechHold, given: mutedHold?.duration),
      .init(.mutedSpeechRelease, given: mutedRelease?.duration),
      // contract end
    ]
  }
}

extension LengthArgument {
  var duration: Duration { length.duration }
}

extension MediaTime {
  var duration: Duration { .milliseconds(Int64(milliseconds)) }

  /// Creates a time from a duration, rounded up to whole milliseconds. A negative duration gives zero.
  init(_ duration: Duration) {
    self.init(milliseconds: UInt64(max(0, duration.millisecondsRoundedUp)))
  }
}
