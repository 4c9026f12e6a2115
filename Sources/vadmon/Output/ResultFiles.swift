import AudioInput
import Glibc
import SystemPackage

/// The files whose names vadmon makes up: `DIR/<name>.<ending>` for each input, under `--output-dir` and `--frames`.
///
/// `<name>` is the input's base name. Where two inputs have the same one, all keep the folders in which they lie below
/// their deepest common folder: `a/x.wav` and `b/x.wav` become `DIR/a/x.csv` and `DIR/b/x.csv`.
///
/// Nothing that exists is replaced by such a file unless `--force` was given.
struct ResultFiles: Sendable {
  private let options: AnalyzeOptions
  /// What the folders of all inputs begin with; `nil` where the base names tell them apart.
  private let commonFolder: FilePath?

  /// Plans for `inputs`. No other input may be asked for, except where no file is made.
  init(_ options: AnalyzeOptions, for inputs: [Input]) {
    self.options = options
    let stems = inputs.compactMap(\.stem)
    let areDistinct = Set(stems).count == stems.count
    commonFolder = areDistinct ? nil : FilePath.commonFolder(of: inputs.compactMap(\.folder))
  }

  /// The file for an input in `--output-dir`; `nil` if results go elsewhere, or nothing is read.
  func result(of input: Input) -> FilePath? {
    guard case .folder(let folder) = options.destination else { return nil }
    return file(of: input, in: folder, ending: options.format.fileExtension)
  }

  /// The frame table of an input, or of one of its channels; `nil` if there is none.
  func frameTable(of input: Input, channel: Int?) -> FilePath? {
    guard let folder = options.frames else { return nil }
    return file(of: input, in: folder, ending: (channel.map { "ch\($0)." } ?? "") + "csv")
  }

  /// One that each input has, whatever is in it.
  func firstFrameTable(of input: Input) -> FilePath? {
    frameTable(of: input, channel: options.channel == .each ? 1 : nil)
  }

  /// The frame tables that the inputs may get and that something is in the way of: a file that is there, or one of
  /// `others`; and the first table of each. How many channels an input has is not known before it is opened.
  func frameTables(of inputs: [Input], beside others: [FilePath]) -> [FilePath] {
    let first = inputs.compactMap(firstFrameTable)
    guard options.channel == .each else { return first }
    var names = Set(others.compactMap { $0.lastComponent?.string })
    for folder in Set(first.map { $0.removingLastComponent() }) {
      guard let present = try? Folder.entries(of: folder) else { continue }
      names.formUnion(present.compactMap { $0.lastComponent?.string })
    }
    let tables = Dictionary(grouping: names.compactMap(ChannelTable.init), by: \.stem)
    return first
      + inputs.flatMap { input in
        let known = input.stem.flatMap { tables[$0] } ?? []
        return known.filter { $0.channel > 1 }
          .compactMap { frameTable(of: input, channel: $0.channel) }
      }
  }

  /// What the name of one channel's frame table says: `<stem>.ch<channel>.csv`.
  private struct ChannelTable {
    let stem: String
    let channel: Int

    init?(_ name: String) {
      let parts = name.split(separator: ".", omittingEmptySubsequences: false)
      guard parts.count > 2, parts.last == "csv" else { return nil }
      let ending = parts[parts.count - 2]
      guard let channel = Int(ending.dropFirst(2)), ending == "ch\(channel)" else { return nil }
      stem = parts.dropLast(2).joined(separator: ".")
      self.channel = channel
    }
  }

  /// Makes one of these files, and the folders above it.
  func make(_ path: FilePath) throws(OutputError) -> OutputFile {
    let folder = path.removingLastComponent()
    do {
      try folder.makeFolder()
    } catch {
      throw OutputError(folder: folder, error)
    }
    return try OutputFile(path: path, existing: options.replacesFiles ? .replaced : .kept)
  }

  private func file(of input: Input, in folder: FilePath, ending: String) -> FilePath? {
    guard let stem = input.stem else { return nil }
    var folder = folder
    if let commonFolder, var mirrored = input.folder, mirrored.removePrefix(commonFolder) {
      folder.append(mirrored.components)
    }
    return folder.appending("\(stem).\(ending)")
  }
}

extension Input {
  /// Where the input lies, absolute and without `.` and `..`; `nil` for standard input.
  fileprivate var folder: FilePath? {
    guard let path, !path.isStandardStream else { return nil }
    return path.absolute.removingLastComponent()
  }
}

extension FilePath {
  /// From the root on, without `.` and `..`. Symbolic links keep their names.
  var absolute: FilePath {
    if isAbsolute { return lexicallyNormalized() }
    guard let current = getcwd(nil, 0) else { return lexicallyNormalized() }
    defer { free(current) }
    return FilePath(platformString: current).pushing(self).lexicallyNormalized()
  }

  /// The deepest folder that all of these lie in, or are; `nil` of none.
  static func commonFolder(of folders: [FilePath]) -> FilePath? {
    guard var common = folders.first else { return nil }
    for folder in folders {
      while !folder.starts(with: common), common.removeLastComponent() {}
    }
    return common
  }
}
