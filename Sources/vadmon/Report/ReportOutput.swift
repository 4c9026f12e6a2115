import Annotations
import Charts
import SystemPackage

/// The file of a report, written one recording after the other.
struct ReportOutput {
  private let file: OutputFile
  private var page: ReportPage

  /// Opens the file that `--report` names; `nil` without the option.
  init?(_ options: AnalyzeOptions, interruption: Interruption) throws(OutputError) {
    guard let path = options.report else { return nil }
    let names = options.inputs.count == 1 && options.filesFrom == nil ? options.inputs : []
    let what = options.isForLabels ? "Labels of" : "Speech in"
    let title = "\(what) \(names.first?.nameAsInput ?? "recordings")"
    file = try OutputFile(
      path: path,
      existing: options.isForLabels && !options.replacesFiles ? .kept : .replaced,
      interruption: interruption)
    page = ReportPage(
      title: title, run: RunConfiguration(options), command: ReportCommand(options),
      scale: PosteriorScale(options.detector), isForLabels: options.isForLabels)
    try file.write(page.opening.utf8)
  }

  mutating func write(_ recordings: [ReportRecording]) throws(OutputError) {
    for recording in recordings { try file.write(page.add(recording).utf8) }
  }

  func finish() throws(OutputError) {
    try file.write(page.closing.utf8)
    try file.commit()
  }
}
