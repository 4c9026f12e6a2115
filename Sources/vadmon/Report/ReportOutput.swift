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
    let title = names.first.map { "Speech in \($0.nameAsInput)" } ?? "Speech in recordings"
    file = try OutputFile(path: path, interruption: interruption)
    page = ReportPage(
      title: title, run: RunConfiguration(options), command: ReportCommand(options),
      scale: PosteriorScale(options.detector))
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
