import SystemPackage

/// The checked options of `vadmon pause`.
struct PauseOptions: Sendable {
  /// The trace; `-` is standard input.
  var trace: FilePath
  var showsSummary: Bool
  var plot: FilePath?
  /// The output file; `nil` for standard output.
  var output: FilePath?
  var isQuiet: Bool

  init(_ command: PauseCommand) throws(UsageError) {
    trace = try command.trace.input()
    showsSummary = command.summary
    plot = command.plot?.path
    output = command.results.file
    isQuiet = command.results.quiet
    if plot?.isStandardStream == true {
      throw UsageError("--plot needs a file of its own, not '-': name one that ends with .svg")
    }
    try FileIdentity.checkDistinct([("--output", output), ("--plot", plot)])
  }
}
