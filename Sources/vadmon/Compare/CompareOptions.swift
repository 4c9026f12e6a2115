import Annotations
import ArgumentParser
import SpeechScoring
import SystemPackage

/// The checked options of `vadmon compare`.
struct CompareOptions: Sendable {
  var reference: FilePath
  var detected: FilePath
  var against: FilePath?
  var evaluationMap: FilePath?
  /// The texts of labels that `--silence` adds to the known marks.
  var silence: [String]
  var missingIsSilence: Bool
  var reportsReliability: Bool
  var shift: MediaTime
  var minGap: MediaTime
  var bootstrap: Bootstrap
  var bounds: [FigureBound]
  var format: FigureFormat
  var plot: FilePath?
  /// The page to draw for a browser; `nil` for none.
  var report: FilePath?
  /// The sound that the page shows; `nil` for none.
  var recordings: FilePath?
  /// Whether the page has the sound in it.
  var embedsAudio: Bool
  /// The output file; `nil` for standard output.
  var output: FilePath?
  var isQuiet: Bool

  init(_ command: CompareCommand) throws(RunError) {
    reference = try command.reference.input()
    detected = try command.detected.input()
    against = try command.against?.input()
    evaluationMap = try command.uem?.input()
    silence = command.labels.silence
    missingIsSilence = command.missingIsSilence
    reportsReliability = command.reliability
    shift = command.shift.length
    minGap = command.minGap.length
    if 1..<100 ~= command.resamples {
      throw RunError(
        "--resamples \(command.resamples) is too few for an interval: write 100 to 10000, or 0 for none"
      )
    }
    bootstrap = Bootstrap(resamples: command.resamples, seed: command.seed)
    bounds = command.minimum + command.maximum
    format = command.format
    plot = try PlotFile.name(command.plot)
    report = try command.page.report?.file(for: "--report", ending: ".html")
    recordings = try command.page.recordings?.input()
    embedsAudio = command.page.embedAudio
    output = try command.results.file()
    isQuiet = command.results.quiet
    try checkNoStandardInput()
    try checkPage()
    try FileIdentity.checkDistinct([
      ("--output", output), ("--plot", plot), ("--report", report),
    ])
  }

  private func checkNoStandardInput() throws(RunError) {
    guard [reference, detected, against, evaluationMap, recordings].contains("-") else { return }
    throw RunError("standard input cannot be compared: write it to a file and name that")
  }

  private func checkPage() throws(RunError) {
    if recordings != nil, report == nil {
      throw RunError("--recordings is for the page of a report: add --report FILE.html")
    }
    if embedsAudio, recordings == nil {
      throw RunError(
        "--embed-audio puts the sound into a report: add --recordings, which says where it is")
    }
    if embedsAudio { try OpusEncoder.checkIsInstalled() }
  }
}

/// The page of a comparison.
struct CompareReportOptions: ParsableArguments {
  @Option(
    """
    Draw all recordings to FILE, one page for a browser that works without a network: the figures, the curves, and \
    where labels and detections differ. The recordings that differ most come first.
    """, value: "FILE")
  var report: PathArgument?

  @Option(
    "The sound for the --report: a file or a folder, whose names are those of the labels.",
    value: "RECORDINGS")
  var recordings: PathArgument?

  @Flag(help: OpusEncoder.help)
  var embedAudio = false
}

extension FigureBound {
  /// Reads a figure and its limit, `FIGURE=VALUE`.
  init(_ side: Side, parsing text: String) throws(ValueError) {
    let parts = text.split(separator: "=", omittingEmptySubsequences: false)
    guard parts.count == 2 else {
      throw ValueError(description: "write a figure and its limit, like f1=0.9")
    }
    guard let figure = Figure(rawValue: parts[0].lowercased()) else {
      let figures = Figure.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValueError(description: "'\(parts[0])' is not a figure; write one of \(figures)")
    }
    guard let limit = decimal(Array(parts[1].utf8)[...]) else {
      throw ValueError(
        description: "'\(parts[1])' is not a number; write one, like \(figure.rawValue)=0.9")
    }
    self.init(side: side, figure: figure, limit: limit)
  }
}
