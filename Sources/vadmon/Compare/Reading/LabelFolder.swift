import Annotations
import AudioInput
import SystemPackage

/// The labels or frames in a folder that may contain other files too.
///
/// A recording is named after its audio file or, without one, after its label file. Several files may describe one
/// recording if they agree, for example the same labels in two formats. If they differ, the user has to choose. A file
/// without any label, such as a manifest, a transcript or notes, is passed over with a warning, unless it has the name
/// of an audio file that has no other labels.
struct LabelFolder {
  /// A file without labels, and the reason why it could not be read.
  struct Stranger {
    /// The recording that the file would have described.
    var name: String
    var file: FilePath
    var faults: LineFaults
    /// Whether it lies beside files that have labels, of other recordings.
    var isAmongLabels = false

    var error: RunError? {
      do throws(RunError) { try faults.check(printable(file)) } catch { return error }
      return nil
    }
  }

  private let folder: FilePath
  private let marks: SilenceMarks
  /// What files beside the recordings in the folder may be called.
  private let audio: Set<String>
  private(set) var recordings: [RecordingSet.Recording] = []
  private(set) var strangers: [Stranger] = []
  /// The indices of recordings, by sub-folder and name.
  private var indices: [String: Int] = [:]

  init(_ folder: FilePath, _ marks: SilenceMarks) throws(RunError) {
    (self.folder, self.marks) = (folder, marks)
    let files = try Self.files(in: folder)
    let sound = files.filter { MediaName.isRecording($0) }
    audio = Set(
      RecordingSet.names(ofSound: sound, in: folder).flatMap { file, name in
        [name, RecordingName.fileID(file.string)]
          + SavedNames.names(of: name, in: file.place(in: folder))
      })
    let labels = files.filter { AnnotationFormat.endings.contains($0.ending) }
    guard !labels.isEmpty else {
      throw RunError(
        "no labels and no frame tables in the folder \(printable(folder)): name another one",
        exitCode: ExitStatus.noInput)
    }
    try RunError.collect(labels) { (file) throws(RunError) in try add(file) }
    let places = Set(recordings.map(\.folder))
    let names = Set(recordings.map(\.name))
    for (index, stranger) in strangers.enumerated() {
      strangers[index].isAmongLabels =
        places.contains(stranger.file.place(in: folder)) && !names.contains(stranger.name)
    }
    try RunError.collect(strangers) { (stranger) throws(RunError) in
      let isNeeded = names.isEmpty || audio.contains(stranger.name)
      if isNeeded, !names.contains(stranger.name), let error = stranger.error { throw error }
    }
  }

  private mutating func add(_ file: FilePath) throws(RunError) {
    let content = try LabelFile.content(of: file, audio: audio, marks: marks)
    guard content.isLabels else {
      strangers.append(
        Stranger(name: RecordingName.fileID(file.string), file: file, faults: content.faults))
      return
    }
    try content.faults.check(printable(file))
    for (name, content) in content.recordings {
      try add(
        RecordingSet.Recording(
          name: name, file: file, folder: file.place(in: folder), content: content))
    }
  }

  private mutating func add(_ recording: RecordingSet.Recording) throws(RunError) {
    let place = recording.folder + "/" + recording.name
    guard let index = indices[place] else {
      indices[place] = recordings.count
      return recordings.append(recording)
    }
    let other = recordings[index]
    // What failed in one run may have been done in another.
    if recording.content.failure != nil { return }
    if other.content.failure != nil {
      recordings[index] = recording
      return
    }
    if other.track.agrees(with: recording.track) {
      recordings[index].content.length = other.content.length ?? recording.content.length
      return
    }
    throw RunError(
      """
      \(printable(other.file)) and \(printable(recording.file)) differ on \
      \(recording.name): keep the one that is right in the folder, or name the files themselves
      """, exitCode: ExitStatus.badData)
  }

  private static func files(in folder: FilePath) throws(RunError) -> [FilePath] {
    do {
      return try Folder.files(under: folder)
    } catch {
      throw RunError(ErrorRecord(error))
    }
  }
}

extension LabelFolder.Stranger {
  /// The warning that the file was passed over; `nil` for JSON in a folder without labels, where nobody expects any.
  var warning: String? {
    if !isAmongLabels, AnnotationFormat.endingsOfOtherUses.contains(file.ending) { return nil }
    let reason = error?.messages.first ?? printable(file)
    return "\(reason); nothing in it is a label, and it is passed over"
  }
}

extension RunError {
  /// Calls `body` with every element, so that all errors are reported at once.
  static func collect<Element>(
    _ elements: [Element], _ body: (Element) throws(RunError) -> Void
  ) throws(RunError) {
    var failures: [RunError] = []
    for element in elements {
      do throws(RunError) { try body(element) } catch { failures.append(error) }
    }
    guard let first = failures.first else { return }
    throw RunError(failures.flatMap(\.messages), exitCode: first.exitCode)
  }
}

extension FilePath {
  /// Returns the sub-folder of `folder` that the file is in.
  func place(in folder: FilePath) -> String {
    var place = removingLastComponent()
    return place.removePrefix(folder) ? printable(place) : ""
  }

  /// The extension in lower case, or "" if there is none.
  fileprivate var ending: String { self.extension?.lowercased() ?? "" }
}
