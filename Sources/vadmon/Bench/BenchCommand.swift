import ArgumentParser

/// The declaration of `vadmon bench`: its flags and their help.
struct BenchCommand: CheckedCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract: "Measures how fast this machine detects speech.",
    discussion: """
      It gives a detector 10 ms at a time, at 8, 16, 44.1 and 48 kHz, with the code for this processor \
      and with the portable code, and copies the same samples with memcpy in between, for comparison. \
      The sound is made up, like speech with pauses; with RECORDING, it is the first 10 s of that, at its \
      own rate.

      Times are the median of many repetitions; the spread is from the 10th to the 90th percentile. \
      Streams per core are measured with \(Measurement.streams) streams in turn, whose memory does not fit into \
      the fastest cache, and leave half of the core free.

      \(ExitStatus.help([
        ExitStatus.done: "done", ExitStatus.badData: "not audio, or silent",
        ExitStatus.noInput: "no such input", ExitStatus.unavailable: "ffmpeg is missing",
      ]))
      """ + examples.help)

  static let examples = [
    Example("vadmon bench", "Measure for about four seconds"),
    Example(
      "vadmon bench meeting.wav --seconds 20 --format json --output before.json",
      "Measure longer, with a recording, and keep the results"),
    Example("VA_CPU=avx2 vadmon bench", "Measure without AVX-512"),
  ]

  @Argument(help: "A recording to measure with.")
  var recording: PathArgument?

  @Option(
    "How long to measure, about, from 1 to 3600. (default: \(BenchOptions.seconds))",
    value: "N", read: NumberArguments.whole(1...3600))
  var seconds = BenchOptions.seconds

  @Option(name: .shortAndLong, help: "Format of the results.")
  var format = FigureFormat.text

  @OptionGroup var results: ResultOptions

  func checked() throws(RunError) -> BenchRun {
    BenchRun(options: try BenchOptions(self))
  }
}
