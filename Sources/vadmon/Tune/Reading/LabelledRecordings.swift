import Annotations
import SystemPackage

/// Recordings with their labels, paired as `vadmon compare` pairs them.
enum LabelledRecordings {
  struct Item: Sendable {
    var name: String
    var file: FilePath
    var labels: [LabelledSpan]
  }

  /// Reads all labels. The files are those of the recordings and of the labels; warnings are about the files of labels.
  static func read(
    _ recordings: FilePath, _ labels: FilePath, _ marks: SilenceMarks, missingIsSilence: Bool
  ) throws(RunError) -> (items: [Item], files: [FilePath], warnings: [String]) {
    if let type = recordings.type, type != .directory {
      throw RunError(
        "\(printable(recordings)) is not a folder: name the folder of the recordings to tune on")
    }
    let labels = try RecordingSet(labels, marks)
    let pairing = Pairing(
      reference: labels, detected: try RecordingSet(soundIn: recordings), against: nil,
      missingIsSilence: missingIsSilence)
    let items = try pairing.labelledSound()
    return (items, items.map(\.file) + labels.files, labels.warnings + pairing.warnings)
  }
}
