import Annotations
import AudioInput
import SystemPackage

/// A file of labels or frames, whose beginning determines its format.
enum LabelFile {
  /// The content of a file.
  struct Content {
    var recordings: [(name: String, track: LabelTrack)]
    /// The faults. If ``isLabels`` is false, they serve only to say why.
    var faults: LineFaults
    /// Whether the file contains labels or frames, or is empty.
    var isLabels: Bool
  }

  /// Returns the recordings of a file that must contain labels or frames. An empty file is one recording without
  /// speech.
  ///
  /// `audio` holds the base names of the recordings in the folder where the file was found; it is `nil` for a file that
  /// was named directly.
  static func read(
    _ path: FilePath, audio: Set<String>?
  ) throws(RunError) -> [(name: String, track: LabelTrack)] {
    let content = try content(of: path, audio: audio)
    if !content.faults.isEmpty, MediaName.isRecording(path) {
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
  static func content(of path: FilePath, audio: Set<String>?) throws(RunError) -> Content {
    let name = RecordingName.fileID(path.string)
    var faults = LineFaults()
    let tracks = LabelFormats.tracks(
      in: try path.contents(), name: name, ending: path.extension ?? "",
      faults: &faults)
    let isLabels = faults.isEmpty || tracks.contains { !$0.value.isEmpty }
    var recordings = tracks.sorted { $0.key < $1.key }.map { (name: $0.key, track: $0.value) }
    if recordings.isEmpty { recordings = [(name, .spans([]))] }
    if let audio, recordings.count == 1, audio.contains(name) || !audio.contains(recordings[0].name)
    {
      recordings[0].name = name
    }
    return Content(recordings: recordings, faults: faults, isLabels: isLabels)
  }
}
