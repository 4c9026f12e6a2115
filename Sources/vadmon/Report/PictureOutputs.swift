import Charts
import SystemPackage

/// The files of pictures, written in the order of the inputs by one thread.
struct PictureOutputs {
  let shelf: PictureShelf
  private var report: ReportOutput?
  private let plot: PlotFile?
  /// Whether any input could be drawn.
  private var hasPictures = false

  /// Opens the files that the options name.
  init(
    _ options: AnalyzeOptions, _ shelf: PictureShelf, _ interruption: Interruption
  ) throws(OutputError) {
    self.shelf = shelf
    report = try ReportOutput(options, interruption: interruption)
    plot = try options.plot.map { path throws(OutputError) in
      try PlotFile(path, interruption: interruption)
    }
  }

  /// Writes the pictures of the next input.
  mutating func writeNext() throws(OutputError) {
    let recordings = shelf.takeNext()
    hasPictures = hasPictures || recordings.contains { $0.picture != nil }
    try report?.write(recordings)
    if let picture = recordings.first.flatMap(RecordingPlot.init) { try plot?.write(picture.text) }
  }

  /// Completes the files. A run that failed and has nothing to draw keeps those of an earlier one.
  func finish(hasFailed: Bool) throws(OutputError) {
    if hasPictures || !hasFailed { try report?.finish() }
    if hasPictures { try plot?.finish() }
  }
}
