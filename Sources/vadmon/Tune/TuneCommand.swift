import ArgumentParser
import RealTime
import SpeechScoring

/// The declaration of `vadmon tune`: its flags and their help.
struct TuneCommand: CheckedCommand {
  static let configuration = CommandConfiguration(
    commandName: "tune",
    abstract: "Finds the settings that suit your recordings, and says what they gain.",
    discussion: """
      RECORDINGS is a folder of recordings. LABELS are their labels, as vadmon compare reads and pairs \
      them. OBJECTIVE is one of

        f1                 the highest F1 of the segments that analyze reports
        false-alarms=RATE  the most speech found, with false alarms in at most RATE
                           of the time without speech: 0.02 or 2%
        latency=LENGTH     the highest F1 of what a live host sees, with half of
                           the onsets reported within LENGTH: 100ms

      It searches the onset threshold, the offset threshold, the onset debounce and the hangover, and \
      begins with the settings of the options below. To know what the settings are worth on other \
      recordings, it divides the recordings into folds and decides each fold by settings that were \
      tuned on the others. If the 95 % interval of what they gain there includes no gain, it advises to \
      keep the settings that it began with.

      \(LengthArgument.help)

      \(ExitStatus.help([
        ExitStatus.done: "done",
        ExitStatus.badData: "bad labels, not audio, or fewer than two recordings",
        ExitStatus.noInput: "no such input, or no partner for one",
        ExitStatus.unavailable: "ffmpeg is missing",
      ]))
      """ + examples.help)

  static let examples = [
    Example("vadmon tune recordings/ labels/ --for f1", "Find the settings with the highest F1"),
    Example(
      "vadmon tune recordings/ labels/ --for false-alarms=2% --write-config my.json",
      "Allow false alarms in 2 % of the time, and write a configuration file"),
    Example("vadmon analyze --config my.json meeting.wav", "Use that file"),
  ]

  @Argument(help: "Recordings: a folder.")
  var recordings: PathArgument

  @Argument(help: "Labels: a file or a folder.")
  var labels: PathArgument

  @Option(
    name: .customLong("for"),
    help: ArgumentHelp(
      "What to tune for: f1, false-alarms=RATE or latency=LENGTH.", valueName: "OBJECTIVE"),
    completion: .list(["f1", "false-alarms=0.02", "latency=100ms"]),
    transform: TuningObjective.init(parsing:))
  var objective: TuningObjective

  @Option(
    "Number of folds; with one per recording, each is held out alone. (default: \(TuneOptions.folds), "
      + "or the number of recordings if that is less)",
    value: "N", read: NumberArguments.whole(2...1000))
  var folds: Int?

  @Option(
    "Listen to the mean of all channels (mix), or to channel N, counted from 1. (default: mix)",
    value: "mix|N", completion: .list(["mix", "1", "2"]), read: ChannelSelection.reader("mix"))
  var channel: ChannelSelection?

  @OptionGroup var labelTexts: LabelOptions

  @Flag(help: "Treat a recording that has no labels as having no speech.")
  var missingIsSilence = false

  @Option(
    "Number of resamplings for the intervals. (default: \(Bootstrap().resamples))",
    value: "N", read: NumberArguments.whole(100...10_000))
  var resamples = Bootstrap().resamples

  @Option(
    "Seed of the random numbers, which choose the folds and the resamplings. (default: \(Bootstrap().seed))",
    value: "N", read: NumberArguments.whole(0...UInt64.max))
  var seed = Bootstrap().seed

  @Option(
    "Write the advised settings to FILE, which other runs read as their configuration.",
    value: "FILE")
  var writeConfig: PathArgument?

  @Option(name: .shortAndLong, help: "Format of the results.")
  var format = FigureFormat.text

  @OptionGroup var results: ResultOptions

  @Option(
    "Read this many recordings at a time (default: the number of cores).",
    value: "N", name: [.customShort("j", allowingJoined: true), .long],
    read: NumberArguments.whole(1...1024))
  var jobs: Int?

  @OptionGroup(title: "Settings to begin with") var decision: DecisionOptions
  @OptionGroup(title: "Segments") var shaping: ShapingOptions

  func checked() throws(RunError) -> TuneRun {
    TuneRun(options: try TuneOptions(self))
  }

  func given() throws(RunError) -> GivenSettings {
    try decision.configuration.given(
      [.init(.channel, given: channel)] + decision.settings + shaping.settings)
  }
}
