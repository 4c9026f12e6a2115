import Annotations
import AudioInput
import SystemPackage
import VoiceActivity

/// One file for each segment of an input, or of one of its channels.
final class SegmentFiles: CutWriter.Destination {
  /// What makes the files of one input.
  struct Input {
    var folder: FilePath
    var stem: String
    /// From 1; `nil` if the files have all channels.
    var channel: Int?
    var format: SoundFormat
  }

  typealias Make = (FilePath) throws(OutputError) -> OutputFile

  private let saving: SegmentSaving
  private let input: Input
  /// Whether a number whose name is in use is left out. Live sound cannot be saved again.
  private let skipsTaken: Bool
  private let make: Make
  private var count = 0
  private var sound: SavedSound?
  /// The newest file.
  private(set) var path: FilePath

  init(_ saving: SegmentSaving, _ input: Input, skipsTaken: Bool = false, make: @escaping Make) {
    (self.saving, self.input, self.make) = (saving, input, make)
    self.skipsTaken = skipsTaken && saving.name.has(.index)
    path = input.folder
  }

  func begin(at start: UInt64) throws(OutputError) {
    repeat {
      count += 1
      path = saving.file(
        SegmentName.Facts(
          stem: input.stem, index: count,
          start: MediaTime(samples: start, rate: input.format.rate), channel: input.channel),
        in: input.folder)
    } while skipsTaken && path.isTaken
    sound = try SavedSound(make(path), saving.container, input.format)
  }

  func write(_ frames: Span<Float>) throws(OutputError) { try sound?.write(frames) }

  func end(_ cut: SpeechCut) throws(OutputError) {
    try sound?.commit()
    sound = nil
  }
}
