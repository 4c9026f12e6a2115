import Annotations
import AudioInput
import RealTime
import SystemPackage

/// Checks of the output files before the analysis begins. A long run must not end with an error because two results
/// share a name or a file is in the way.
struct OutputPlan {
  let options: AnalyzeOptions
  /// The inputs to analyse.
  let inputs: [Input]
  /// The inputs that have results already.
  private let skipped: [Input]
  let files: ResultFiles

  init(options: AnalyzeOptions, inputs: [Input]) {
    self.options = options
    // Names depend on all inputs, so that those of an earlier run are found again.
    let files = ResultFiles(options, for: inputs)
    let isDone = { (input: Input) in
      options.skipsExisting && files.result(of: input)?.isTaken == true
    }
    self.files = files
    (self.inputs, skipped) = (inputs.filter { !isDone($0) }, inputs.filter(isDone))
  }

  /// What the user has to know of the inputs that are left out; `nil` if none are.
  var note: String? {
    guard !skipped.isEmpty else { return nil }
    let count = skipped.count + inputs.count
    return "left out \(skipped.count) of \(count) inputs, which have results already"
  }

  func check() throws(RunError) {
    try checkOneRecording()
    try checkOpenableNames()
    let results = inputs.compactMap(result)
    let recordings = (inputs + skipped).compactMap(\.path)
    let references = options.references(beside: recordings)
    let read =
      recordings + references
      + [options.filesFrom, options.command?.file].compactMap(\.self)
    let frames = files.frameTables(of: inputs, beside: results + read)
    let trimmed = options.trimming?.files ?? []
    try checkSurvival(of: read, results + pictures, frames + trimmed)
    try checkPictures(results)
    try checkNames("--frames", inputs.map(files.firstFrameTable))
    try checkNames("--output-dir", inputs.map(files.result))
    if options.format.naming == .fileID, options.outputFolder == nil { try checkFileIDs() }
    try checkSegmentNames()
    try checkNames("--save-segments", inputs.map(firstSegment))
    try checkSegments(beside: options.namedFiles + references)
    let maps = options.trimming?.map.map { [$0] } ?? []
    // With --skip-existing, a result that is there now has been written by another run meanwhile.
    let ownResults = options.skipsExisting ? [] : inputs.compactMap(files.result)
    try checkNothingIsReplaced(
      ownResults + frames + takenSegments
        + maps.filter { !TrimmedRecording.isMap($0) })
    let folders = [options.frames, options.outputFolder, options.saving?.folder]
    for folder in folders.compactMap(\.self) {
      try makeFolder(folder)
    }
  }

  private func checkOneRecording() throws(RunError) {
    guard options.outputFolder == nil else { return }
    guard options.format.naming == .none, inputs.count > 1 else { return }
    throw RunError(
      """
      --format \(options.format.rawValue) has no place for file names, but there are \
      \(inputs.count) inputs: add --output-dir DIR for one file each
      """)
  }

  /// Checks that the names in a script are those that its program would open: it is text, and read line by line.
  private func checkOpenableNames() throws(RunError) {
    guard options.format.opensRecordings else { return }
    for path in inputs.compactMap(\.path) {
      let fault =
        if String(validating: path) == nil {
          "is not UTF-8"
        } else if path.string.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D }) {
          "has a line break"
        } else {
          String?.none
        }
      guard let fault else { continue }
      throw RunError(
        "--format \(options.format.rawValue) cannot name \(printable(path)), because the name \(fault): rename the file"
      )
    }
  }

  private func checkSurvival(
    of read: [FilePath], _ results: [FilePath], _ frames: [FilePath]
  ) throws(RunError) {
    let written = results + frames
    try FileIdentity.check(written, replacing: read)
    try options.settings.given.check(written)
    if let path = FileIdentity.firstReplaced(of: frames, by: results) {
      throw RunError("two results would both become \(path): choose another name for one")
    }
  }

  private var pictures: [FilePath] { [options.report, options.plot].compactMap(\.self) }

  private func checkPictures(_ results: [FilePath]) throws(RunError) {
    for (option, path, others) in [
      ("--report", options.report, results),
      ("--plot", options.plot, results + pictures.dropLast()),
    ] {
      guard let path, FileIdentity.firstReplaced(of: [path], by: others) != nil else { continue }
      throw RunError("\(option) names the same file as other results: choose another name for one")
    }
    if options.plot != nil, inputs.count > 1 {
      throw RunError(
        "--plot draws one recording, but there are \(inputs.count) inputs: choose one, or use --report"
      )
    }
    if options.plot != nil, options.channel == .each {
      let setting = options.settings.given.phrase(.channel)
      throw RunError("--plot draws one channel, but \(setting) is each: choose another")
    }
  }

  private func result(of input: Input) -> FilePath? {
    if case .file(let path) = options.destination { path } else { files.result(of: input) }
  }

  /// Checks that no two files have the same path; `paths` holds the file of each input.
  private func checkNames(_ flag: String, _ paths: [FilePath?]) throws(RunError) {
    try checkDistinct(zip(inputs, paths).map { ($0, $1?.text) }) { first, second, path in
      "\(flag): \(first) and \(second) would both become \(path)"
    }
  }

  private func checkFileIDs() throws(RunError) {
    let names = inputs.map { ($0, $0.path.map { RecordingName.stem($0.string) }) }
    try checkDistinct(names) { first, second, name in
      "--format \(options.format.rawValue): \(first) and \(second) would both become \(name)"
    }
  }

  private func checkDistinct(
    _ names: [(input: Input, name: String?)], _ complaint: (String, String, String) -> String
  ) throws(RunError) {
    // By bytes: Unicode has several ways to write é, and a file system may have files of each.
    var owners: [[UInt8]: Input] = [:]
    for (input, name) in names {
      guard let name, let owner = owners.updateValue(input, forKey: Array(name.utf8)) else {
        continue
      }
      throw RunError(
        complaint(
          RecordingName.shown(owner.name), RecordingName.shown(input.name),
          FilePath(bytes: ArgumentBytes.bytes(of: name)).string)
          + (owner.isSameFile(as: input)
            ? ", because they are one file: name it once"
            : "; rename one of them, or analyse them apart"))
    }
  }

  /// Checks for all existing files with the names of results before the analysis begins.
  private func checkNothingIsReplaced(_ paths: [FilePath]) throws(RunError) {
    guard !options.replacesFiles else { return }
    let taken = paths.filter(\.isTaken)
    guard let first = taken.first else { return }
    let count = taken.count - 1
    let others =
      switch count {
      case 0: ""
      case 1: ", and so does another file with the name of a result"
      default: ", and so do \(count) more files with names of results"
      }
    let replaced = count == 0 ? "it" : "those that this run writes"
    throw RunError(
      "\(first) exists already\(others): write elsewhere, or add --force to replace \(replaced)")
  }

  /// Checks that no segment may have the name of another result.
  private func checkSegments(beside results: [FilePath]) throws(RunError) {
    // All these folders are below one, so that they differ as they do when they are absolute.
    let stems = Dictionary(segmentStems.map { ($0.absolute, $1) }) { first, _ in first }
    for result in results {
      let folder = result.absolute.removingLastComponent()
      if let stems = stems[folder], isSegment(result, of: stems) {
        throw RunError("a segment may have the name of \(result): choose another name for one")
      }
    }
  }

  /// The stems of the inputs by the folders of their segments.
  private var segmentStems: [FilePath: SegmentStems] {
    Dictionary(grouping: inputs.compactMap(files.segments), by: \.folder)
      .mapValues { SegmentStems($0.map(\.stem)) }
  }

  /// Whether a segment of inputs with these stems may have the name of a file in its folder.
  private func isSegment(_ file: FilePath, of stems: SegmentStems) -> Bool {
    guard let saving = options.saving else { return false }
    return file.extension == saving.container.rawValue
      && saving.name.facts(of: file.stemText, stems: stems) != nil
  }

  /// The existing files that segments may be called.
  private var takenSegments: [FilePath] {
    options.replacesFiles
      ? []
      : segmentStems.flatMap { folder, stems in
        ((try? Folder.entries(of: folder)) ?? []).filter { isSegment($0, of: stems) }
      }
  }

  private func checkSegmentNames() throws(RunError) {
    guard let name = options.saving?.name, inputs.count > 1, !name.has(.stem) else { return }
    throw RunError(
      "--segment-name \(name.text) has no {stem}, but there are \(inputs.count) inputs: add it, so that their "
        + "segments do not have the same names")
  }

  /// The file of an input's first segment, if it begins with the recording.
  private func firstSegment(of input: Input) -> FilePath? {
    guard let saving = options.saving, let (folder, stem) = files.segments(of: input) else {
      return nil
    }
    let facts = SegmentName.Facts(
      stem: stem, index: 1, start: .zero, channel: options.channel == .each ? 1 : nil)
    return saving.file(facts, in: folder)
  }

  private func makeFolder(_ folder: FilePath) throws(RunError) {
    do {
      try folder.makeFolder()
    } catch {
      throw RunError(OutputError(folder: folder, error))
    }
  }
}
