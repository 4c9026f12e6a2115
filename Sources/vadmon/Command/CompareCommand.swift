import ArgumentParser

/// The declaration of `vadmon compare`: its flags and their help.
struct CompareCommand: CheckedCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Measures how well detections agree with labels.",
    discussion: """
      REFERENCE holds labels: an Audacity label track, RTTM, or CSV with the columns start and end \
      (and file), in seconds; or it is a folder of such files (.txt, .rttm, .csv). DETECTED is the \
      same, or the frame tables of vadmon analyze --frames, which give AUC, AP and EER too. The \
      decisions of a frame table are its column segment (--frames-with segment) or else speech.

      In folders a file goes with that of the same base name, in whatever sub-folder; where two have \
      the same base name, their sub-folders tell them apart. Several files may have the same labels \
      of a recording; if they differ, that is an error. A file without a single label, such as a \
      manifest, is passed over with a warning.

      Everything is counted in cells of 10 ms. A recording is as long as its frame table, or as \
      --uem says, or else ends with its last segment. Figures of sub-folders of REFERENCE are \
      shown as well. The 95 % intervals come from drawing recordings with replacement.

      FIGURE is one of \(Figure.allCases.map(\.rawValue).joined(separator: ", ")).

      Exit codes: 0 done; 1 a --min or --max is missed; 64 wrong usage; 65 bad labels or frames; \
      66 no such input, or no partner for one; 74 reading or writing failed.
      """)

  @Argument(help: "Labels: a file or a folder.")
  var reference: PathArgument

  @Argument(help: "Labels or frame tables: a file or a folder.")
  var detected: PathArgument

  @Option(
    help: ArgumentHelp(
      "Compare with this too: the differences have paired intervals.", valueName: "DETECTED"))
  var against: PathArgument?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Add this to what was detected: the lookahead_ms of vadmon's results gives live latencies.",
      valueName: "LENGTH"), transform: LengthArgument.init(parsing:))
  var shift = LengthArgument(.zero)

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Latencies are measured where at least this much non-speech lies before an onset or behind "
        + "an offset. (default: 200ms)", valueName: "LENGTH"),
    transform: LengthArgument.init(parsing:))
  var minGap = LengthArgument(.milliseconds(200))

  @Option(
    help: ArgumentHelp(
      "How long recordings are: lines of FILE 1 0 END, in seconds.", valueName: "FILE"))
  var uem: PathArgument?

  @Flag(help: "Report how often there is speech where the score is near 0, 0.1 … 1.")
  var reliability = false

  @Flag(help: "A recording that one side does not have has no speech there.")
  var missingIsSilence = false

  @Option(
    name: .customLong("min"),
    help: ArgumentHelp(
      "Exit with 1 if a pooled figure is below this: --min f1=0.9.", valueName: "FIGURE=VALUE"),
    transform: FigureArgument.init(parsing:))
  var minimum: [FigureArgument] = []

  @Option(
    name: .customLong("max"),
    help: ArgumentHelp(
      "Exit with 1 if it is above this: --max false_alarm_rate=0.05.", valueName: "FIGURE=VALUE"),
    transform: FigureArgument.init(parsing:))
  var maximum: [FigureArgument] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How often recordings are drawn; 0 for no intervals. (default: 1000)", valueName: "N"),
    transform: NumberArguments.whole(0...10_000))
  var resamples = 1000

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Seed of the random numbers. (default: 1)", valueName: "N"),
    transform: NumberArguments.whole(0...UInt64.max))
  var seed: UInt64 = 1

  @Option(help: "How results are written.")
  var format = CompareOptions.Format.text

  @OptionGroup var results: ResultOptions

  func checked() throws(UsageError) -> CompareRun {
    CompareRun(options: try CompareOptions(self))
  }
}
