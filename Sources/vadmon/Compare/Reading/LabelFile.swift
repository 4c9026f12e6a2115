import Annotations
import AudioInput
import SystemPackage

/// A file of labels or frames, whose beginning determines its format.
enum LabelFile {
  /// The content of a file.
  struct Content {
    var recordings: [(name: String, content: LabelledRecording)]
    /// The faults. If ``isLabels`` is false, they serve only to say why.
    var faults: LineFaults
    /// Whether the file contains labels or frames, or is empty.
    var isLabels: Bool
    /// Whether it begins as a recording does.
    var isSound = false
  }

  /// Returns the recordings of a file that must contain labels or frames. An empty file is one recording without
  /// speech.
  ///
  /// `audio` holds the base names of the recordings in the folder where the file was found; it is `nil` for a file that
  /// was named directly.
  static func read(
    _ path: FilePath, audio: Set<String>?, marks: SilenceMarks = SilenceMarks()
  ) throws(RunError) -> [(name: String, content: LabelledRecording)] {
    let content = try content(of: path, audio: audio, marks: marks)
    if !content.faults.isEmpty, content.isSound || MediaName.isRecording(path) {
      throw RunError(
        "\(printable(path)) is a recording and has no labels: name what vadmon analyze makes of it, like --frames",
        exitCode: ExitStatus.badData)
    }
    try content.faults.check(printable(path))
    return content.recordings
  }

  /// Returns the content of a file.
  ///
  /// In a folder, a file that describes one recording takes its own name for that recording, unless the folder contains
  /// the recording that it names and none of its own name.
  static func content(
    of path: FilePath, audio: Set<String>?, marks: SilenceMarks
  ) throws(RunError) -> Content {
    let name = RecordingName.fileID(path.string)
    var faults = LineFaults()
    let (bytes, fault) = try path.textContents()
    if let fault {
      faults.add(fault, line: nil)
      return Content(
        recordings: [], faults: faults, isLabels: false, isSound: AudioFormat.isRecording(bytes))
    }
    let read = AnnotationFormat.recordings(
      in: bytes, name: name, ending: path.extension ?? "", marks: marks, faults: &faults)
    let isLabels = faults.isEmpty || read.contains { !$0.value.track.isEmpty }
    var recordings = read.sorted { $0.key < $1.key }.map { (name: $0.key, content: $0.value) }
    if recordings.isEmpty { recordings = [(name, LabelledRecording(.spans([])))] }
    if bytes.isEmpty { recordings[0].content.isOfEmptyFile = true }
    if let audio, recordings.count == 1, audio.contains(name) || !audio.contains(recordings[0].name)
    {
      recordings[0].name = name
    }
    return Content(recordings: recordings, faults: faults, isLabels: isLabels)
  }
}
