import ArgumentParser
import SpeechScoring

/// The declaration of `vadmon compare`: its flags and their help.
struct CompareCommand: CheckedCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Measures how well detections agree with labels.",
    discussion: """
      REFERENCE contains labels: an Audacity label track, RTTM, CSV or TSV with the columns start and \
      end (and file) in seconds, SubRip, WebVTT, a TextGrid of Praat, an EAF of ELAN, the JSON or \
      JSON Lines of vadmon analyze, or a folder of such files. DETECTED is the same, or frame tables from vadmon analyze --frames, which also give AUC, AP and EER. The decisions of a \
      frame table are in its column live (--live) or, without it, in speech.

      In folders, files with the same base name belong together, whatever their sub-folders. If \
      several files share a base name, their sub-folders distinguish them. Several files may have \
      the same labels for a recording; labels that differ are an error. A file without labels, such \
      as a manifest, is skipped with a warning.

      Everything is counted in cells of 10 ms. The length of a recording is the one in --uem, or else that \
      of its frame table, TextGrid or JSON; without any, it ends with its last segment. Each sub-folder of \
      REFERENCE also gets its own figures. The 95 % intervals come from resampling the recordings \
      with replacement.

      \(LengthArgument.help)

      FIGURE is one of \(Figure.allCases.map(\.rawValue).joined(separator: ", ")).

      \(ExitStatus.help([
        ExitStatus.done: "done", ExitStatus.missedBound: "a bound of --min or --max is missed",
        ExitStatus.badData: "bad labels or frames",
        ExitStatus.noInput: "no such input, or no partner for one",
        ExitStatus.unavailable: "ffmpeg or rsvg-convert is missing",
      ]))
      """ + examples.help)

  static let examples = [
    Example("vadmon compare labels/ frames/", "Print all figures, pooled and for each recording"),
    Example(
      "vadmon compare labels/ frames/ --min f1=0.9 --max false_alarm_rate=0.05",
      "Fail in CI if a figure misses its bound"),
    Example(
      "vadmon compare labels/ frames/ --against other/ --plot figure.svg",
      "Compare two detectors, and draw the curves of both"),
    Example(
      "vadmon compare labels/ frames/ --report page.html --recordings recordings/",
      "See and hear where labels and detections differ"),
    Example(
      "vadmon compare labels.rttm found.rttm --uem all.uem",
      "Compare segments, with the lengths of the recordings"),
  ]

  @Argument(help: "Labels: a file or a folder.")
  var reference: PathArgument

  @Argument(help: "Labels or frame tables: a file or a folder.")
  var detected: PathArgument

  @Option(
    "Also compare with these detections; the differences have paired intervals.", value: "DETECTED")
  var against: PathArgument?

  @Option(
    "Add this to the detected times. The lookahead_ms of vadmon's results gives the latencies of "
      + "live detection.",
    value: "LENGTH", read: LengthArgument.init(parsing:))
  var shift = LengthArgument(.zero)

  @Option(
    "Measure latencies only where at least this much non-speech comes before an onset or after "
      + "an offset. (default: \(Evaluation().minGap)ms)",
    value: "LENGTH", read: LengthArgument.init(parsing:))
  var minGap = LengthArgument(.milliseconds(Evaluation().minGap))

  @Option("Lengths of the recordings: lines of FILE 1 0 END, in seconds.", value: "FILE")
  var uem: PathArgument?

  @Flag(help: "Report how often there is speech in each tenth of the probabilities.")
  var reliability = false

  @Option(
    "Draw ROC, precision and recall, reliability and latencies to FILE, whose name ends with .svg, or with .png "
      + "(with rsvg-convert).",
    value: "FILE")
  var plot: PathArgument?

  @OptionGroup var page: CompareReportOptions

  @OptionGroup var labels: LabelOptions

  @Flag(
    help:
      "Treat a recording that one side lacks as having no speech there; frame tables must not be missing."
  )
  var missingIsSilence = false

  @Option(
    name: .customLong("min"),
    help: ArgumentHelp(
      "Exit with 1 if a pooled figure is below VALUE: --min f1=0.9. May be repeated.",
      valueName: "FIGURE=VALUE"),
    transform: { try FigureBound(.min, parsing: $0) })
  var minimum: [FigureBound] = []

  @Option(
    name: .customLong("max"),
    help: ArgumentHelp(
      "Exit with 1 if a pooled figure is above VALUE: --max false_alarm_rate=0.05. May be repeated.",
      valueName: "FIGURE=VALUE"),
    transform: { try FigureBound(.max, parsing: $0) })
  var maximum: [FigureBound] = []

  @Option(
    "Number of resamplings, from 100 to 10000; 0 for no intervals. (default: \(Bootstrap().resamples))",
    value: "N", read: NumberArguments.whole(0...10_000))
  var resamples = Bootstrap().resamples

  @Option(
    "Seed of the random numbers. (default: \(Bootstrap().seed))",
    value: "N", read: NumberArguments.whole(0...UInt64.max))
  var seed = Bootstrap().seed

  @Option(name: .shortAndLong, help: "Format of the results.")
  var format = FigureFormat.text

  @OptionGroup var results: ResultOptions

  func checked() throws(RunError) -> CompareRun {
    CompareRun(options: try CompareOptions(self))
  }
}
