import ArgumentParser
import AudioInput

/// The inputs to analyse.
struct InputOptions: ParsableArguments {
  @Argument(
    help: """
      Recordings, folders of recordings (without hidden files), or - for a recording or raw PCM on \
      standard input.
      """)
  var inputs: [PathArgument] = []

  @Option(
    help: ArgumentHelp(
      "Read more names of recordings from FILE, one a line; - is standard input.",
      valueName: "FILE"))
  var filesFrom: PathArgument?

  @Flag(
    name: [.customShort("0"), .long],
    help: "Names in --files-from end with NUL, as find -print0 writes them.")
  var null = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Rate of raw PCM (default: 16000).", valueName: "HZ"),
    transform: NumberArguments.whole(NumberArguments.rates, " (Hz)"))
  var rate: Int?

  @Option(
    help: ArgumentHelp(
      """
      Samples of raw PCM, as ffmpeg, sox or arecord call them: s16le, s16, S16_LE (default: s16le); \
      standard input is raw PCM then, whatever it looks like.
      """, valueName: "NAME"),
    completion: RawSampleFormat.completion, transform: RawSampleFormat.init(parsing:))
  var sampleFormat: RawSampleFormat?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Channels of raw PCM, interleaved (default: 1).", valueName: "N"),
    transform: NumberArguments.whole(NumberArguments.channelCounts))
  var channels: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Analyse the mean of all channels, each with a detector of its own, or channel N from 1. "
        + "(default: mix)",
      valueName: "mix|each|N"),
    completion: .list(["mix", "each", "1", "2"]), transform: ChannelArgument.init(parsing:))
  var channel = ChannelArgument(.mix)
}

/// The shaping of the detector's segments.
struct ShapingOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Add this much before and behind each segment; join those that overlap then.",
      valueName: "LENGTH"), transform: LengthArgument.init(parsing:))
  var pad = LengthArgument(.zero)

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Leave out segments shorter than this.", valueName: "LENGTH"),
    transform: LengthArgument.init(parsing:))
  var minSpeech = LengthArgument(.zero)

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Join segments with less silence than this between them.", valueName: "LENGTH"),
    transform: LengthArgument.init(parsing:))
  var minSilence = LengthArgument(.zero)
}

/// The times at which the microphone is muted.
struct MuteOptions: ParsableArguments {
  @Flag(help: "The microphone is muted all the time: print when the user speaks.")
  var muted = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The microphone is muted from START to END (seconds; the last END may be left out).",
      valueName: "START-END,…"))
  var muteTimeline: String?
}

/// An optional column of frame tables.
enum FrameColumn: String, ExpressibleByArgument, CaseIterable, Sendable {
  case segment
}

/// The destination and format of results.
struct OutputOptions: ParsableArguments {
  @Option(help: "How results are written.")
  var format = FormatName.text

  @OptionGroup var results: ResultOptions

  @Option(
    help: ArgumentHelp("Write one file for each input to DIR.", valueName: "DIR"),
    completion: .directory)
  var outputDir: PathArgument?

  @Option(
    help: ArgumentHelp(
      "Write each input's 10 ms hops to DIR as <name>.csv: time, probability, and speech, the "
        + "raw decision of the hop.",
      valueName: "DIR"),
    completion: .directory)
  var frames: PathArgument?

  @Option(
    help: ArgumentHelp(
      "Add a column to --frames: segment is 1 where the segments say speech, after debounce, "
        + "hangover and shaping.", valueName: "COLUMN"))
  var framesWith: FrameColumn?

  @Flag(help: "Let --output-dir and --frames replace files that exist already.")
  var force = false

  @Flag(help: "Show what decides and stop.")
  var showConfig = false

  @Flag(help: "Exit with 0 though inputs are missing or not audio (65, 66), or none is named.")
  var acceptBad = false

  @Flag(help: "Exit with 1 if no speech was found.")
  var exitCode = false
}

/// How the analysis runs, and what it shows to the user.
struct RunOptions: ParsableArguments {
  @Option(
    name: .shortAndLong, parsing: .unconditional,
    help: ArgumentHelp(
      "Analyse this many recordings at a time (default: cores).", valueName: "N"),
    transform: NumberArguments.whole(1...1024))
  var jobs: Int?

  @Option(help: "Colour text; auto means on a terminal, unless NO_COLOR is set or TERM is dumb.")
  var color = ColorChoice.auto

  @Flag(name: .shortAndLong, help: "Log what is done to standard error (--log-level debug).")
  var verbose = false

  @Option(help: "Log to standard error from this level on.")
  var logLevel: LogLevelArgument?
}
