import ALSAInput
import ArgumentParser
import AudioInput

/// The declaration of `vadmon live`: its flags and their help.
struct LiveCommand: CheckedCommand {
  static let configuration = CommandConfiguration(
    commandName: "live",
    abstract: "Listens to a microphone and reports when somebody speaks.",
    discussion: """
      On a terminal a meter shows the level, the probability of speech and why it counts as speech \
      or not. Keys: m mutes, space freezes the meter, q quits. Elsewhere each event is a line. \
      Nothing is recorded unless --record asks for it. SIGUSR1 mutes and SIGUSR2 unmutes.

      --on-event runs a program, without a shell, for each event, with VADMON_EVENT (\
      \(LiveEvent.Name.list)), VADMON_TIME in seconds and VADMON_VALUE in its environment. \
      Changes of state (\(LiveEvent.Name.stateList)) do not queue behind other events: only the \
      newest of each waits.

      Ctrl-C, SIGTERM and --duration end vadmon even if nobody reads its output or the device hangs. \
      Exit codes: 0 done, also after Ctrl-C (130 after a second one); 64 wrong usage; 65 not audio; \
      66 no such input; 69 the device cannot be used; 74 reading or writing failed.
      """)

  @OptionGroup var input: LiveInputOptions
  @OptionGroup(title: "Output") var output: LiveOutputOptions
  @OptionGroup(title: "Detector") var detector: DetectorOptions

  func checked() throws(UsageError) -> LiveRun {
    LiveRun(options: try LiveOptions(self))
  }
}

/// The input of `vadmon live`.
struct LiveInputOptions: ParsableArguments {
  @Argument(help: "- for a recording or raw PCM on standard input, in place of a device.")
  var source: PathArgument?

  @Option(name: .shortAndLong, help: ArgumentHelp("ALSA's name of the device.", valueName: "NAME"))
  var device: String?

  @Option(
    help: ArgumentHelp("Play FILE in real time, in place of a device.", valueName: "FILE"))
  var input: PathArgument?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Rate to ask the device for (default: 48000), or of raw PCM (16000).", valueName: "HZ"),
    transform: NumberArguments.whole(NumberArguments.rates, " (Hz)"))
  var rate: Int?

  @Option(
    help: ArgumentHelp(
      """
      Samples of raw PCM, as ffmpeg, sox or arecord call them (default: s16le); standard input is \
      raw PCM then, whatever it looks like.
      """,
      valueName: "NAME"),
    completion: RawSampleFormat.completion, transform: RawSampleFormat.init(parsing:))
  var sampleFormat: RawSampleFormat?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Channels to ask the device for (default: as few as will do), or of raw PCM (1).",
      valueName: "N"), transform: NumberArguments.whole(NumberArguments.channelCounts))
  var channels: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Listen to the mean of all channels, or to channel N from 1. (default: mix)",
      valueName: "mix|N"),
    completion: .list(["mix", "1", "2"]), transform: ChannelArgument.init(parsingOne:))
  var channel = ChannelArgument(.mix)

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How often the device is asked for sound (default: 10ms).", valueName: "LENGTH"),
    transform: LengthArgument.init(parsing:))
  var period: LengthArgument?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How much sound the device keeps for a busy computer (default: 200ms).", valueName: "LENGTH"),
    transform: LengthArgument.init(parsing:))
  var buffer: LengthArgument?

  @Flag(help: "Begin muted: report when the user speaks all the same.")
  var muted = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Stop after this long: 30s or 30, 10m, 8h.", valueName: "LENGTH"),
    transform: SpanArgument.init(parsing:))
  var duration: SpanArgument?
}

/// The output of `vadmon live`.
struct LiveOutputOptions: ParsableArguments {
  @Flag(help: "Print each event as a line of JSON.")
  var json = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "With --json: print the level and the probability so many times a second, 1 … 50.",
      valueName: "HZ"),
    transform: NumberArguments.whole(1...50, " (the detector decides every 20 ms)"))
  var levels: Int?

  @Flag(help: "Show the meter as one line, with the events above it.")
  var line = false

  @Flag(help: "Show the whole meter (the default on a terminal).")
  var full = false

  @Flag(name: .shortAndLong, help: "No meter, no summary and no warnings.")
  var quiet = false

  @Option(help: "Colour text; auto means on a terminal, unless NO_COLOR is set or TERM is dumb.")
  var color = ColorChoice.auto

  @Option(
    help: ArgumentHelp(
      "Record what the detector hears to FILE, a WAV file that must not exist yet.",
      valueName: "FILE"))
  var record: PathArgument?

  @Option(
    help: ArgumentHelp("Run PROGRAM for each event, one at a time.", valueName: "PROGRAM"))
  var onEvent: PathArgument?

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "An argument for PROGRAM, passed on as it is; give it as often as needed.",
      valueName: "TEXT"))
  var onEventArgument: [String] = []

  @Option(
    help: ArgumentHelp(
      "Run PROGRAM only for these events, e.g. muted_speech,device (default: all).",
      valueName: "KIND,…"),
    transform: EventKindsArgument.init(parsing:))
  var onEventKinds: EventKindsArgument?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("End PROGRAM if it takes longer (default: 5s).", valueName: "LENGTH"),
    transform: SpanArgument.init(parsing:))
  var onEventTimeout: SpanArgument?
}

/// Names of events, separated by commas.
struct EventKindsArgument: Sendable {
  var names: Set<LiveEvent.Name> = []

  init(parsing text: String) throws(ValueError) {
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let name = LiveEvent.Name(rawValue: String(part)) else {
        throw ValueError(
          description: "choose from \(LiveEvent.Name.list), with commas between them")
      }
      names.insert(name)
    }
  }
}
