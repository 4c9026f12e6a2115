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

  /// A slip of the hand must not cost a recording.
  private func checkInputsSurvive() throws(ErrorRecord) {
    if options.destination == .standardOutput { return }
    var outputs: Set<FilePath> = []
    for input in inputs {
      switch options.destination {
      case .standardOutput: break
      case .file(let path): outputs.insert(path.resolvingLinks)
      case .folder(let folder):
        let file = Self.file(for: input, format: options.format, in: folder)
        outputs.insert(file.resolvingLinks)
      }
    }
    for case .file(let path) in inputs where outputs.contains(path.resolvingLinks) {
      throw usage("the results would replace the recording \(path): choose another name for them")
    }
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
