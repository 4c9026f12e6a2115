import Annotations
import AudioInput
import Glibc
import RealTime
import SystemPackage

/// The files whose names vadmon derives: `DIR/<name>.<ending>` for each input, under `--output-dir` and `--frames`.
///
/// `<name>` is the input's base name. Inputs of one folder that share a base name keep their extensions: `x.wav` and
/// `x.flac` become `DIR/x.wav.csv` and `DIR/x.flac.csv`. If two inputs of different folders share a base name, all
/// inputs keep their folders below the deepest folder common to all: `a/x.wav` and `b/x.wav` become `DIR/a/x.csv` and
/// `DIR/b/x.csv`.
///
/// Such a file replaces an existing one only if `--force` was given.
struct ResultFiles: Sendable {
  private let options: AnalyzeOptions
  /// The deepest folder common to all inputs; `nil` if the names are distinct.
  private let commonFolder: FilePath?
  /// The inputs, without their extensions, that share a folder and a base name with another one.
  private let ambiguous: Set<FilePath>
  private let claims: SegmentClaims

  /// Plans the names for `inputs`. Do not ask for the files of other inputs, unless no file is made.
  init(_ options: AnalyzeOptions, for inputs: [Input]) {
    self.options = options
    let names = Dictionary(grouping: Set(inputs.compactMap(\.absolutePath)), by: \.withoutExtension)
    let ambiguous = Set(names.filter { $0.value.count > 1 }.keys)
    self.ambiguous = ambiguous
    let used = inputs.compactMap { $0.name(among: ambiguous) }
    // Extensions distinguish files of one folder only.
    let folders = Dictionary(grouping: inputs, by: \.stem).mapValues { Set($0.map(\.folder)) }
    let areDistinct = Set(used).count == used.count && folders.allSatisfy { $0.value.count == 1 }
    commonFolder = areDistinct ? nil : FilePath.commonFolder(of: inputs.compactMap(\.folder))
    let recordings = inputs.compactMap(\.path)
    claims = SegmentClaims(
      beside: options.saving == nil
        ? [] : recordings + options.references(beside: recordings) + options.namedFiles)
  }

  /// Returns the file for an input in `--output-dir`, or `nil` if results go elsewhere or the input is not read.
  func result(of input: Input) -> FilePath? {
    guard case .folder(let folder) = options.destination else { return nil }
    return file(of: input, in: folder, ending: options.format.fileExtension)
  }

  /// Returns the frame table of an input or of one of its channels, or `nil` if there is none.
  func frameTable(of input: Input, channel: Int?) -> FilePath? {
    guard let folder = options.frames else { return nil }
    let part = channel.map { "ch\($0)." } ?? ""
    return file(of: input, in: folder, ending: part + FrameTableWriter.fileExtension)
  }

  /// Returns the frame table that each input has, however many channels it has.
  func firstFrameTable(of input: Input) -> FilePath? {
    frameTable(of: input, channel: options.channel == .each ? 1 : nil)
  }

  /// Returns the first frame table of each input, and all further tables whose names are in use by an existing file or
  /// by one of `others`.
  ///
  /// The number of an input's channels is unknown before it is opened, so its tables cannot be listed.
  func frameTables(of inputs: [Input], beside others: [FilePath]) -> [FilePath] {
    let first = inputs.compactMap(firstFrameTable)
    guard options.channel == .each else { return first }
    var names = Set(others.map(\.nameText))
    for folder in Set(first.map { $0.removingLastComponent() }) {
      guard let present = try? Folder.entries(of: folder) else { continue }
      names.formUnion(present.map(\.nameText))
    }
    let tables = Dictionary(grouping: names.compactMap(ChannelTable.init), by: \.stem)
    return first
      + inputs.flatMap { input in
        let known = input.name(among: ambiguous).flatMap { tables[$0] } ?? []
        return known.filter { $0.channel > 1 }
          .compactMap { frameTable(of: input, channel: $0.channel) }
      }
  }

  /// The parts of the name of a channel's frame table: `<stem>.ch<channel>.csv`.
  private struct ChannelTable {
    let stem: String
    let channel: Int

    init?(_ name: String) {
      let parts = name.split(separator: ".", omittingEmptySubsequences: false)
      guard parts.count > 2, parts.last.map(String.init) == FrameTableWriter.fileExtension
      else { return nil }
      let ending = parts[parts.count - 2]
      guard let channel = Int(ending.dropFirst(2)), ending == "ch\(channel)" else { return nil }
      stem = parts.dropLast(2).joined(separator: ".")
      self.channel = channel
    }
  }

  /// Creates one of these files, and the folders above it. `interruption` ends the wait for the reader of a pipe.
  ///
  /// - Parameter input: The input whose result says later that the file is complete; `nil` for the result itself.
  func make(
    _ path: FilePath, of input: Input? = nil, interruption: Interruption
  ) throws(OutputError) -> OutputFile {
    let folder = path.removingLastComponent()
    do {
      try folder.makeFolder()
    } catch {
      throw OutputError(folder: folder, error)
    }
    // Where files are replaced, one of an unfinished input is in nobody's way, and may have replaced another.
    let goes = options.skipsExisting && !options.replacesFiles
    return try OutputFile(
      path: path, existing: options.replacesFiles ? .replaced : .kept, interruption: interruption,
      of: goes ? input : nil)
  }

  /// Creates the file of a segment, and the folders above it.
  func makeSegment(
    _ path: FilePath, of input: Input, interruption: Interruption
  ) throws(OutputError) -> OutputFile {
    try claims.take(path)
    return try make(path, of: input, interruption: interruption)
  }

  /// Whether a file is read by this run, or one of its results.
  func isInUse(_ path: FilePath) -> Bool { claims.contains(path) }

  /// Returns the folder for the segments of an input and the stem of their names, or `nil` if none are saved.
  func segments(of input: Input) -> (folder: FilePath, stem: String)? {
    guard let folder = options.saving?.folder, let name = input.name(among: ambiguous) else {
      return nil
    }
    return (mirrored(input, in: folder), name)
  }

  /// Returns `folder`, or the folder below it for the inputs of this one's folder.
  private func mirrored(_ input: Input, in folder: FilePath) -> FilePath {
    guard let commonFolder, var mirrored = input.folder, mirrored.removePrefix(commonFolder) else {
      return folder
    }
    return folder.appending(mirrored.components)
  }

  private func file(of input: Input, in folder: FilePath, ending: String) -> FilePath? {
    guard let name = input.name(among: ambiguous) else { return nil }
    return mirrored(input, in: folder).appending(text: "\(name).\(ending)")
  }
}

extension Input {
  /// The path of the input, absolute and without `.` and `..`; `nil` for standard input.
  fileprivate var absolutePath: FilePath? {
    guard let path, !path.isStandardStream else { return nil }
    return path.absolute
  }

  fileprivate var folder: FilePath? { absolutePath?.removingLastComponent() }

  /// The name for files made from this input: its stem or, if it is one of `ambiguous`, its whole name.
  fileprivate func name(among ambiguous: Set<FilePath>) -> String? {
    guard let path = absolutePath, ambiguous.contains(path.withoutExtension) else { return stem }
    return path.nameText
  }
}

extension FilePath {
  /// The path without the extension that ``RecordingName/stem(_:)`` leaves out.
  fileprivate var withoutExtension: FilePath {
    removingLastComponent().appending(text: stemText)
  }

  /// The absolute path, without `.` and `..`. Symbolic links are not resolved.
  var absolute: FilePath {
    if isAbsolute { return lexicallyNormalized() }
    guard let current = getcwd(nil, 0) else { return lexicallyNormalized() }
    defer { free(current) }
    return FilePath(platformString: current).pushing(self).lexicallyNormalized()
  }

  /// Returns the deepest folder that contains all of these folders or is one of them, or `nil` for an empty list.
  static func commonFolder(of folders: [FilePath]) -> FilePath? {
    guard var common = folders.first else { return nil }
    for folder in folders {
      while !folder.starts(with: common), common.removeLastComponent() {}
    }
    return common
  }
}
