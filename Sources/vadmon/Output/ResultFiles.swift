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

  /// All that an input may have. The number of its channels is not known before it is opened; files have at most 1024
  /// (libsndfile's own limit).
  func frameTables(of input: Input) -> [FilePath] {
    guard options.frames != nil else { return [] }
    guard options.channel == .each else {
      return [frameTable(of: input, channel: nil)].compactMap(\.self)
    }
    return (1...1024).compactMap { frameTable(of: input, channel: $0) }
  }

  /// Makes one of these files, and the folders above it.
  func make(_ path: FilePath) throws(OutputError) -> OutputFile {
    let folder = path.removingLastComponent()
    do {
      try folder.makeFolder()
    } catch {
      throw OutputError(name: FileNames.printable(folder), error)
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
