import AudioInput
import SystemPackage

/// Which files results go to, checked before anything is analysed: a long run must not end with the news
/// that two results want the same name.
struct OutputPlan {
  let options: AnalyzeOptions
  let inputs: [Input]

  func check() throws(ErrorRecord) {
    try checkOneRecording()
    try checkInputsSurvive()
    if options.frames != nil { try checkStems("--frames", ending: ".csv") }
    if case .folder = options.destination {
      try checkStems("--output-dir", ending: "." + options.format.fileExtension)
    } else if options.format == .rttm {
      try checkStems("--format rttm", ending: "")
    }
    if let frames = options.frames { try makeFolder(frames) }
    if case .folder(let folder) = options.destination { try makeFolder(folder) }
  }

  /// `DIR/<stem>.<ending>`.
  static func file(for input: Input, format: FormatName, in folder: FilePath) -> FilePath {
    folder.appending((input.stem ?? input.name) + "." + format.fileExtension)
  }

  private func checkOneRecording() throws(ErrorRecord) {
    if case .folder = options.destination { return }
    guard options.format.holdsOneRecording, inputs.count > 1 else { return }
    throw usage(
      """
      --format \(options.format.rawValue) has no place for file names, but there are \
      \(inputs.count) inputs: add --output-dir DIR for one file each
      """)
  }

  private func checkInputsSurvive() throws(ErrorRecord) {
    let results = inputs.compactMap(result)
    let frames = inputs.flatMap(frameTables)
    let read = inputs.compactMap(\.path) + (options.filesFrom.map { [$0] } ?? [])
    if let complaint = FileIdentity.complaint(results + frames, replacing: read) {
      throw usage(complaint)
    }
    if let path = FileIdentity.firstReplaced(of: frames, by: results) {
      throw usage("results and --frames would both become \(path): choose another folder for one")
    }
  }

  private func result(of input: Input) -> FilePath? {
    switch options.destination {
    case .standardOutput: nil
    case .file(let path): path
    case .folder(let folder): Self.file(for: input, format: options.format, in: folder)
    }
  }

  /// How many channels there are is not known before a recording is opened; files have at most 1024
  /// (libsndfile's own limit).
  private func frameTables(of input: Input) -> [FilePath] {
    guard let folder = options.frames else { return [] }
    let stem = input.stem ?? input.name
    let endings = options.channel == .each ? (1...1024).map { ".ch\($0)" } : [""]
    return endings.map { folder.appending("\(stem)\($0).csv") }
  }

  private func checkStems(_ flag: String, ending: String) throws(ErrorRecord) {
    var owners: [String: Input] = [:]
    for input in inputs {
      guard let stem = input.stem else { continue }
      if let owner = owners.updateValue(input, forKey: stem) {
        throw usage(
          """
          \(flag): \(owner.name) and \(input.name) would both become \(stem)\(ending); rename one of \
          them, or analyse them apart
          """)
      }
    }
  }

  private func makeFolder(_ folder: FilePath) throws(ErrorRecord) {
    do {
      try folder.makeFolder()
    } catch {
      throw ErrorRecord(
        file: folder.string, message: "cannot make the folder \(folder): \(error)",
        exitCode: ExitStatus.inputOutput)
    }
  }

  private func usage(_ message: String) -> ErrorRecord {
    ErrorRecord(file: "", message: message, exitCode: ExitStatus.usage)
  }
}
