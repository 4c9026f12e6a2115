import SystemPackage

/// The recordings that one side of a comparison tells of: those of a file, or of all files in a folder.
struct RecordingSet {
  struct Recording {
    var name: String
    var file: FilePath
    /// The sub-folder that the file lies in, "" for none.
    var folder: String
    var track: LabelTrack
  }

  let path: FilePath
  let isFolder: Bool
  /// In the order of the files.
  private(set) var recordings: [Recording] = []
  private var indices: [String: Int] = [:]
  /// Names with the folders that they lie in: each is told of once.
  private var owners: [String: FilePath] = [:]

  /// Reads everything, so that all that is wrong is told at once.
  init(_ path: FilePath) throws(RunError) {
    self.path = path
    isFolder = path.isFolder
    var failures: [RunError] = []
    for file in try isFolder ? Self.labelFiles(in: path) : [path] {
      do throws(RunError) {
        try add(file)
      } catch {
        failures.append(error)
      }
    }
    guard let first = failures.first else { return }
    throw RunError(failures.flatMap(\.messages), exitCode: first.exitCode)
  }

  subscript(name: String) -> Recording? { indices[name].map { recordings[$0] } }

  /// Gives a recording another name.
  mutating func rename(_ index: Int, to name: String) {
    let former = recordings[index].name
    if indices[former] == index { indices[former] = nil }
    recordings[index].name = name
    indices[name] = index
  }

  private mutating func add(_ file: FilePath) throws(RunError) {
    for (name, track) in try LabelFile.read(file, isInFolder: isFolder) {
      if let other = owners.updateValue(file, forKey: folder(of: file) + "/" + name) {
        throw RunError(
          """
          \(FileNames.printable(other)) and \(FileNames.printable(file)) both tell of \(name): \
          keep one of them
          """, exitCode: ExitStatus.badData)
      }
      if indices[name] == nil { indices[name] = recordings.count }
      recordings.append(
        Recording(name: name, file: file, folder: folder(of: file), track: track))
    }
  }

  private func folder(of file: FilePath) -> String {
    var folder = file.removingLastComponent()
    return folder.removePrefix(path) ? FileNames.printable(folder) : ""
  }

  private static func labelFiles(in folder: FilePath) throws(RunError) -> [FilePath] {
    let files: [FilePath]
    do {
      files = try Folder.files(under: folder)
    } catch {
      throw RunError(
        "cannot read the folder \(FileNames.printable(error.path)): \(error.errno)",
        exitCode: ExitStatus.noInput)
    }
    let labels = files.filter { LabelFile.endings.contains($0.extension?.lowercased() ?? "") }
    guard !labels.isEmpty else {
      throw RunError(
        "no .txt, .rttm or .csv in the folder \(FileNames.printable(folder)): name another one",
        exitCode: ExitStatus.noInput)
    }
    return labels
  }
}
