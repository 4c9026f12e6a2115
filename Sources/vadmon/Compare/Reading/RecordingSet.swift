import Annotations
import SystemPackage

/// The recordings of one side of a comparison: those of a file, or of all files in a folder.
struct RecordingSet {
  struct Recording {
    var name: String
    var file: FilePath
    /// The sub-folder of the file, or "" if there is none.
    var folder: String
    var content: LabelledRecording

    var track: LabelTrack { content.track }

    /// A clause for a recording without a result, which counts as one that is missing.
    fileprivate var failureRemark: String? {
      content.failure.map {
        "\(printable(name)) was not analysed, and counts as without speech (\($0))"
      }
    }
  }

  let path: FilePath
  let isFolder: Bool
  /// Whether the set has recordings themselves, and nothing about them.
  let isSound: Bool
  /// The recordings in the order of their files.
  private(set) var recordings: [Recording] = []
  /// The files of the folder that contain no labels.
  let passedOver: [LabelFolder.Stranger]
  private var indices: [String: Int] = [:]

  /// Reads all files, so that all errors are reported at once.
  init(_ path: FilePath, _ marks: SilenceMarks = SilenceMarks()) throws(RunError) {
    self.path = path
    isFolder = path.isFolder
    isSound = false
    if isFolder {
      let folder = try LabelFolder(path, marks)
      passedOver = folder.strangers
      for recording in folder.recordings { add(recording) }
    } else {
      passedOver = []
      for (name, content) in try LabelFile.read(path, audio: nil, marks: marks) {
        add(Recording(name: name, file: path, folder: "", content: content))
      }
    }
  }

  /// Takes a recording, or the recordings in a folder, whose sound is read later.
  init(soundIn path: FilePath) throws(RunError) {
    self.path = path
    isFolder = path.isFolder
    isSound = true
    passedOver = []
    if (try? path.stat()) == nil { throw RunError(cannotRead: path, .noSuchFileOrDirectory) }
    let inputs = isFolder ? FolderSearch(path).inputs : [.file(path)]
    guard !inputs.isEmpty else {
      throw RunError(
        "no audio in the folder \(printable(path)): name another folder",
        exitCode: ExitStatus.noInput)
    }
    var files: [FilePath] = []
    try RunError.collect(inputs) { (input) throws(RunError) in
      if case .unusable(let error) = input {
        throw RunError(error)
      }
      if let file = input.path { files.append(file) }
    }
    for (file, name) in Self.names(ofSound: files, in: path) {
      add(
        Recording(
          name: name, file: file, folder: file.place(in: path),
          content: LabelledRecording(.spans([]))))
    }
  }

  /// Returns recordings with the names that `vadmon analyze` gives their results: `x.wav` and `x.flac` in one folder
  /// keep their extensions.
  static func names(
    ofSound files: [FilePath], in path: FilePath
  ) -> [(file: FilePath, name: String)] {
    let formats = Dictionary(grouping: files) {
      [$0.place(in: path), RecordingName.fileID($0.string)]
    }
    return files.map { file in
      let name = RecordingName.fileID(file.string)
      let isAlone = formats[[file.place(in: path), name]]?.count == 1
      return (file, isAlone ? name : RecordingName.fileID(file.string + "."))
    }
  }

  /// All files that were found.
  var files: [FilePath] { recordings.map(\.file) + passedOver.map(\.file) }

  /// One sentence for each file that was passed over, and for each remark on one that was read.
  var warnings: [String] {
    passedOver.compactMap(\.warning)
      + recordings.flatMap { recording in
        (recording.content.remarks + (recording.failureRemark.map { [$0] } ?? []))
          .map { "\(printable(recording.file)): \($0)" }
      } + [silenceWarning, scoreWarning].compactMap(\.self)
  }

  /// The warning about scores that are no probabilities, once for all tables. Most figures need their order alone, but
  /// one order for all tables.
  private var scoreWarning: String? {
    var (files, low, high) = ([FilePath](), Double.infinity, -Double.infinity)
    for recording in recordings {
      guard let range = recording.track.scoreRange, range.lowerBound < 0 || range.upperBound > 1
      else { continue }
      files.append(recording.file)
      (low, high) = (min(low, range.lowerBound), max(high, range.upperBound))
    }
    guard let file = files.first else { return nil }
    let others = files.count > 1 ? " and \(counted(files.count - 1, "other table"))" : ""
    return """
      \(printable(file))\(others): the probabilities are from \(low) to \(high) instead of from 0 to 1, so they count \
      as scores, and have no reliability; check that all tables have the same scale, because AUC, AP, EER and the best \
      threshold need one
      """
  }

  /// The warning that there are labels, but none of speech. In a single recording of many, that is nothing unusual.
  private var silenceWarning: String? {
    guard recordings.allSatisfy(\.track.isEmpty),
      recordings.contains(where: \.content.hasOnlySilence)
    else { return nil }
    return
      "\(printable(path)) has labels, but none marks speech, so it counts as without speech: did vadmon analyze --invert write it?"
  }

  subscript(name: String) -> Recording? { indices[name].map { recordings[$0] } }

  /// Renames a recording.
  mutating func rename(_ index: Int, to name: String) {
    let former = recordings[index].name
    if indices[former] == index { indices[former] = nil }
    recordings[index].name = name
    indices[name] = index
  }

  /// Puts a recording into folders under a name, both of which are in `location`.
  mutating func move(_ index: Int, to location: [String]) {
    recordings[index].folder = location.dropLast().joined(separator: "/")
    rename(index, to: location.last ?? "")
  }

  /// Replaces each recording by copies with the names that `names` returns for its index.
  mutating func replace(_ names: (Int, Recording) -> [String]) {
    let former = recordings
    (recordings, indices) = ([], [:])
    for (index, recording) in former.enumerated() {
      for name in names(index, recording) {
        var copy = recording
        copy.name = name
        add(copy)
      }
    }
  }

  private mutating func add(_ recording: Recording) {
    if indices[recording.name] == nil { indices[recording.name] = recordings.count }
    recordings.append(recording)
  }
}
