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

  init(_ command: PauseCommand) throws(RunError) {
    trace = try command.trace.input()
    showsSummary = command.summary
    plot = try PlotFile.name(command.plot)
    output = try command.results.file()
    isQuiet = command.results.quiet
    try FileIdentity.checkDistinct([("--output", output), ("--plot", plot)])
    try FileIdentity.check([output, plot], replacing: [trace])
  }
}
