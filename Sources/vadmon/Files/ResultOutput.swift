import Annotations
import SystemPackage

/// The destination of a format's text.
enum ResultOutput {
  /// Standard output, where every write reaches the reader at once.
  ///
  /// It may be the terminal that shows the progress bar, which is removed first.
  case standardOutput(ProgressBar?)
  case file(OutputFile)

  func write(_ text: String) throws(OutputError) {
    if text.isEmpty { return }
    switch self {
    case .standardOutput(let progress):
      progress?.remove()
      try FileDescriptor.standardOutput.write(all: text.utf8, name: "standard output")
    case .file(let file): try file.write(text.utf8)
    }
  }

  func finish() throws(OutputError) {
    if case .file(let file) = self { try file.commit() }
  }
}

extension ResultOutput {
  /// Opens a file, or standard output for `nil`.
  init(to file: FilePath?) throws(OutputError) {
    if let file { self = .file(try OutputFile(path: file)) } else { self = .standardOutput(nil) }
  }

  /// Whether a run leaves its destination as it is: a run that failed and has no results keeps the file of an earlier
  /// one. Standard output always gets the document, which programs expect.
  static func isKept(_ file: FilePath?, hasFailed: Bool, hasResults: Bool) -> Bool {
    file != nil && hasFailed && !hasResults
  }

  /// Writes the settings of a run, which replace no file that they come from.
  static func deliver(
    _ text: String, to file: FilePath?, beside given: GivenSettings
  ) throws(RunError) {
    try given.check([file])
    try deliver(text, to: file)
  }

  /// Writes a complete result.
  static func deliver(_ text: String, to file: FilePath?) throws(RunError) {
    try RunError.writing { () throws(OutputError) in
      let output = try ResultOutput(to: file)
      try output.write(text)
      try output.finish()
    }
  }
}

extension RunError {
  init(_ error: OutputError) {
    self.init(error.missingReader != nil ? [] : [error.description], exitCode: error.exitCode)
  }

  /// Calls `body`, whose failure ends the run.
  static func writing<Result>(
    _ body: () throws(OutputError) -> Result
  ) throws(RunError) -> Result {
    do throws(OutputError) { return try body() } catch { throw RunError(error) }
  }
}

/// One document: a format and its destination.
struct Document {
  private var format: any RecordFormat
  private let output: ResultOutput
  /// Whether control characters, which a name may have, are escaped, because a terminal would execute them.
  private let escapesCommands: Bool

  init(
    _ format: any RecordFormat, to output: ResultOutput, escapingCommands: Bool,
    run: RunConfiguration
  ) throws(OutputError) {
    self.format = format
    self.output = output
    escapesCommands = escapingCommands
    var text = ""
    self.format.begin(run, into: &text)
    try put(text)
  }

  mutating func write(_ records: [Record]) throws(OutputError) {
    var text = ""
    for record in records { format.write(record, into: &text) }
    try put(text)
  }

  /// Completes the document; `addition` follows the format's text.
  mutating func finish(_ addition: String = "") throws(OutputError) {
    var text = ""
    format.end(into: &text)
    try put(text + addition)
    try output.finish()
  }

  private func put(_ text: String) throws(OutputError) {
    try output.write(escapesCommands ? printableLines(text) : text)
  }
}
