import SystemPackage

/// The checked options of `vadmon bench`.
struct BenchOptions: Sendable {
  /// How long the measurement takes unless `--seconds` says otherwise.
  static let seconds = 4

  /// The recording; `nil` for made-up sound.
  var recording: FilePath?
  var seconds: Int
  var format: FigureFormat
  /// The output file; `nil` for standard output.
  var output: FilePath?
  var isQuiet: Bool

  init(_ command: BenchCommand) throws(RunError) {
    recording = try command.recording?.input()
    seconds = command.seconds
    format = command.format
    output = try command.results.file()
    isQuiet = command.results.quiet
    if recording?.isStandardStream == true {
      throw RunError(
        "bench reads a recording several times, which standard input cannot be: use a file")
    }
    if let recording { try FileIdentity.check([output], replacing: [recording]) }
  }
}
