import Annotations
import ArgumentParser
import AudioInput
import RealTime

/// The inputs to analyse.
struct InputOptions: ParsableArguments {
  @Argument(
    help: """
      Recordings, folders of recordings (without hidden files), or - for a recording or raw PCM on \
      standard input.
      """)
  var inputs: [PathArgument] = []

  @Option(
    "Read the names of further recordings from FILE, one per line; - is standard input.",
    value: "FILE")
  var filesFrom: PathArgument?

  @Flag(
    name: [.customShort("0"), .long],
    help: "The names in --files-from end with NUL, as find -print0 writes them.")
  var null = false

  @Option(
    "Sample rate of raw PCM (default: \(RawPCMFormat().sampleRate)).",
    value: "HZ", read: NumberArguments.whole(supportedSampleRates, " (Hz)"))
  var rate: Int?

  @Option(
    help: ArgumentHelp(
      """
      Sample format of raw PCM, named as in ffmpeg, sox or arecord: s16le, s16, S16_LE (default: \
      \(RawPCMFormat().sampleFormat)). Standard input is then always read as raw PCM.
      """, valueName: "NAME"),
    completion: RawSampleFormat.completion, transform: RawSampleFormat.init(parsing:))
  var sampleFormat: RawSampleFormat?

  @Option(
    "Number of interleaved channels of raw PCM (default: 1).",
    value: "N", read: NumberArguments.whole(supportedChannelCounts))
  var channels: Int?

  @OptionGroup var selection: ChannelOptions

  @Option(
    """
    Begin at TIME in each recording, such as 90s or 1:30, rounded down to 10 ms: as if nothing were before it. Times \
    still count from the beginning of the recording.
    """, value: "TIME", read: MediaTime.time)
  var from: MediaTime?

  @Option(
    "End at TIME in each recording, or at its end if that comes first.",
    value: "TIME", read: MediaTime.time)
  var to: MediaTime?

  @Option(
    """
    Treat the sound of FILE as the loudspeaker beside the microphone, not as the user. Both recordings \
    begin at the same time. With a folder: its file of the same name as the recording.
    """, value: "FILE|FOLDER")
  var reference: PathArgument?

  @Option(
    """
    Treat channel N of the recording as what the loudspeaker plays. The microphone is the --channel, or the \
    other one of two.
    """, value: "N", read: NumberArguments.whole(supportedChannelCounts))
  var referenceChannel: Int?
}

/// The channels to analyse.
struct ChannelOptions: ParsableArguments {
  @Option(
    "Analyse the mean of all channels (mix), each channel by itself (each), all channels together, so that speech is "
      + "where any of them has it (any), or channel N, counted from 1. (default: mix)",
    value: "mix|each|any|N", completion: .list(["mix", "each", "any", "1", "2"]),
    read: ChannelSelection.reader("mix", "each", "any"))
  var channel: ChannelSelection?
}

/// The shaping of the detector's segments.
struct ShapingOptions: ParsableArguments {
  @Option(
    "Extend each segment by this much at both ends, and join segments that then overlap.",
    value: "LENGTH", read: LengthArgument.init(parsing:))
  var pad: LengthArgument?

  @Option(
    "Omit segments shorter than this (default: 0ms).",
    value: "LENGTH", read: LengthArgument.init(parsing:))
  var minSpeech: LengthArgument?

  @Option(
    "Join segments that are separated by less silence than this (default: 200ms).",
    value: "LENGTH", name: [.customLong("min-silence"), .customLong("merge")],
    read: LengthArgument.init(parsing:))
  var minSilence: LengthArgument?

  @Option(
    """
    Cut segments longer than MAX, padding included, at the best pause in its second half: 30s for Whisper. MAX is at \
    least 1s longer than --pad on both sides.
    """, value: "MAX", read: LengthArgument.init(parsing:))
  var split: LengthArgument?
}

/// Which side of the segments' boundaries is wanted.
struct InversionOptions: ParsableArguments {
  @Flag(
    help: """
      List and save the silence between the segments, not the speech. Totals, --frames and pictures still show speech.
      """)
  var invert = false

  /// What the option gives.
  var settings: [JSONValue.Member?] { [.init(.invert, given: invert ? true : nil)] }
}

/// What is done with each segment.
struct CommandOptions: ParsableArguments {
  @Option(
    """
    Run CMD for each segment, without a shell, as many at once as --jobs says: 'sox {file} out/{stem}-{index}.wav trim \
    {start} {duration}'. Blanks separate its arguments, quotes hold one together. Placeholders are those of --template.
    """, value: "CMD", read: CommandArgument.init(parsing:))
  var exec: CommandArgument?
}

/// The times at which the microphone is muted.
struct MuteOptions: ParsableArguments {
  @Flag(help: "Treat the microphone as muted throughout, and report muted speech.")
  var muted = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Treat the microphone as muted from START to END, in seconds or as in 1m30s-2m. The last END may be omitted.",
      valueName: "START-END,…"))
  var muteTimeline: String?

  @OptionGroup var speaker: SpeakerOptions
}

/// The destination and format of results.
struct OutputOptions: ParsableArguments {
  @Option(name: .shortAndLong, help: "Format of the results. (default: text)")
  var format: FormatName?

  @Option(
    """
    Write a line for each segment, made from TEXT, instead of a format: '{file}\\t{start}\\t{end}'. The \
    placeholders are \(TemplateArgument.placeholders). With {kind}, muted speech and gaps have \
    lines too. \\n, \\t and \\\\ are a line end, a tab and a backslash; {{ and }} are braces.
    """, value: "TEXT", read: TemplateArgument.init(parsing:))
  var template: TemplateArgument?

  @OptionGroup var results: ResultOptions

  @Option("Write a file of results for each input to DIR.", value: "DIR", completion: .directory)
  var outputDir: PathArgument?

  @Option(
    "Write each input's 10 ms hops to DIR as <name>.csv: time, probability, and speech, which "
      + "is 1 within the reported segments.",
    value: "DIR", completion: .directory)
  var frames: PathArgument?

  @Flag(
    help: ArgumentHelp(
      "Decide as a live host does, without the sound that follows. The tables of --frames then have a column "
        + "live, which is 1 while the host reports speech, from the decision on."))
  var live = false

  @OptionGroup var pictures: PictureOptions

  @Flag(help: "Let --output-dir, --frames and --save-segments replace existing files.")
  var force = false

  @Flag(
    help: """
      Leave out inputs that have a result in --output-dir, even an old one. Inputs that are not analysed to their end, \
      or for which a program of --exec fails, then get no file, so that the same command completes a batch.
      """)
  var skipExisting = false

  @Flag(
    help:
      "Exit with 0 even if inputs are missing or not audio (65, 66), or if --files-from names none."
  )
  var acceptBad = false

  @Flag(help: "Exit with 1 if no speech was found.")
  var exitCode = false
}

/// How the analysis runs, and what it shows to the user.
struct RunOptions: ParsableArguments {
  @Option(
    "Analyse this many recordings at a time (default: the number of cores).",
    value: "N", name: [.customShort("j", allowingJoined: true), .long],
    read: NumberArguments.whole(1...1024))
  var jobs: Int?

  @Option(
    help: "Colour the text. auto does so on a terminal, unless NO_COLOR is set or TERM is dumb.")
  var color = AutoChoice.auto

  @Flag(name: .shortAndLong, help: "Log to standard error; the same as --log-level debug.")
  var verbose = false

  @Option(help: "Log messages of this level and above to standard error.")
  var logLevel: LogLevelArgument?
}

extension RepeatedOption {
  /// The second names of options with a value.
  static let otherNames = [
    "-d": "--device", "-f": "--format", "-j": "--jobs", "-o": "--output",
    "--merge": "--min-silence",
  ]
}
