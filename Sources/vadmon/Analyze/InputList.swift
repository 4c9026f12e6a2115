import Annotations
import AudioInput
import SystemPackage

/// The inputs that the given files, folders and lists name, in order.
struct InputList {
  /// The inputs that are known before the analysis begins.
  private(set) var inputs: [Input] = []
  /// What was passed over, with one sentence for each folder.
  private(set) var notes: [String] = []
  private let options: AnalyzeOptions

  init(_ options: AnalyzeOptions) throws(RunError) {
    self.options = options
    for path in options.inputs { add(path) }
    if let list = options.filesFrom, !options.streamsNames { try add(namesIn: list) }
  }

  /// Returns the source of `inputs`, and then of those whose names are still to be read.
  func makeSource(of inputs: [Input]) throws(RunError) -> InputSource {
    guard let list = options.filesFrom, options.streamsNames else {
      return InputSource(inputs, then: nil)
    }
    return InputSource(inputs, then: try open(list))
  }

  private mutating func add(_ path: FilePath) {
    if path.isStandardStream {
      inputs.append(.standardInput)
    } else if path.isFolder {
      add(folder: path)
    } else {
      inputs.append(.file(path))
    }
  }

  private mutating func add(folder: FilePath) {
    let search = FolderSearch(folder)
    inputs += search.inputs
    if let summary = search.summary { notes.append("\(folder): passed over \(summary)") }
    if search.inputs.isEmpty {
      fail(folder, "no audio in the folder \(folder): name another folder or a file")
    }
  }

  private func open(_ list: FilePath) throws(RunError) -> NameList {
    try NameList(list, separator: options.nameSeparator, mayBeEmpty: options.acceptsBad)
  }

  private mutating func add(namesIn list: FilePath) throws(RunError) {
    var names = try open(list)
    while let input = try names.next() { inputs.append(input) }
  }

  private mutating func fail(_ path: FilePath, _ message: String) {
    inputs.append(
      .unusable(
        ErrorRecord(file: path.string, message: message, exitCode: ExitStatus.noInput)))
  }
}
