import Annotations
import AudioInput
import SystemPackage
import VoiceActivity

/// A recording without its silence, and the map back to the times of the original.
///
/// The map is CSV: `start` and `end` in the original and `trimmed_start` and `trimmed_end` in the file, in seconds, and
/// the same four in samples. It appears after the recording.
final class TrimmedRecording: CutWriter.Destination {
  private let sound: SavedSound
  private let map: OutputFile?
  private let rate: Int
  private let trimming: Trimming
  private var file: FilePath { trimming.file }
  private var position: UInt64 = 0
  private var hasRemovedOld = false

  init(
    _ trimming: Trimming, _ format: SoundFormat, _ interruption: Interruption
  ) throws(OutputError) {
    (rate, self.trimming) = (format.rate, trimming)
    var format = format
    // A pipe gets floats, as SoundFileWriter says.
    if trimming.isStream { format.bits = nil }
    sound = try SavedSound(
      OutputFile(path: trimming.file, interruption: interruption), trimming.container, format)
    map = try trimming.map.map { path throws(OutputError) in
      try OutputFile(path: path, interruption: interruption)
    }
    try write(Self.heading)
  }

  private static let heading = {
    let names = ["start", "end", "trimmed_start", "trimmed_end"]
    return names + names.map { "\($0)_sample" }
  }()

  /// Returns whether a file is the map of an earlier run, which a new one may replace.
  static func isMap(_ file: FilePath) -> Bool {
    let heading = heading.joined(separator: ",").utf8
    return (try? file.readAll(atMost: heading.count))?.starts(with: heading) ?? false
  }

  func begin(at start: UInt64) {}

  func write(_ frames: Span<Float>) throws(OutputError) { try sound.write(frames) }

  func end(_ cut: SpeechCut) throws(OutputError) {
    let samples = [cut.start, cut.end, position, position + (cut.end - cut.start)]
    position = samples[3]
    try write(
      samples.map { MediaTime(samples: $0, rate: rate).seconds } + samples.map { "\($0)" })
  }

  /// Whether nothing was written. Sound without samples is not readable in every format, and must not replace a file.
  var isEmpty: Bool { position == 0 }

  /// Completes both files, if there is anything in them.
  func commit() throws(OutputError) {
    guard !isEmpty || trimming.isStream else { return }
    try sound.commit()
    try map?.commit()
  }

  /// Removes what an earlier run has written, if there is nothing to replace it.
  func removeOld() {
    let files = trimming.files
    guard isEmpty, files.allSatisfy({ $0.type == .regular }), isFromAnEarlierRun else { return }
    for file in files { file.unlink() }
    hasRemovedOld = true
  }

  /// Whether the file is what its map describes: a sound that ends with the last part. The user's own, which has taken
  /// the name since, has another length.
  private var isFromAnEarlierRun: Bool {
    guard let map = trimming.map, Self.isMap(map), let rows = try? map.readAll(),
      let end = rows.split(whereSeparator: { ",\n".utf8.contains($0) }).last,
      let sound = try? AudioFileSource(path: file)
    else { return false }
    return sound.expectedFrameCount == Int64(String(decoding: end, as: UTF8.self))
  }

  /// What the user has to know; `nil` if the recording is complete.
  var warning: String? {
    guard isEmpty else {
      return SavedSound.warning(
        clipped: sound.clippedCount, of: "--trim", remedy: "end its name with .wav")
    }
    if trimming.isStream { return "it has no speech, so that the sound of --trim is empty" }
    let rest =
      if hasRemovedOld {
        "; \(printable(file)) and its map, from an earlier run, are removed"
      } else if file.type == .regular {
        "; \(printable(file)) is not from this run"
      } else {
        ""
      }
    return "it has no speech, so that --trim has written nothing" + rest
  }

  private func write(_ fields: [String]) throws(OutputError) {
    try map?.write((fields.joined(separator: ",") + "\n").utf8)
  }
}
