import Annotations
import AudioInput
import RealTime
import SystemPackage

/// The checked options for saved segments.
struct SegmentSaving: Sendable, Hashable {
  var folder: FilePath
  var name: SegmentName
  var container: SoundFileWriter.Container
  var fade: MediaTime

  /// Returns the file of a segment.
  func file(_ facts: SegmentName.Facts, in folder: FilePath) -> FilePath {
    folder.appending(text: "\(name.name(facts)).\(container.rawValue)")
  }
}

/// The checked options for a recording without its silence.
struct Trimming: Sendable, Hashable {
  var file: FilePath
  var container: SoundFileWriter.Container
  var fade: MediaTime

  /// Whether the sound goes to standard output, without a map.
  var isStream: Bool { file.isStandardStream }

  /// The file of the map; `nil` if there is none.
  var map: FilePath? { isStream ? nil : FilePath("\(file.string).csv") }

  /// The files that are written.
  var files: [FilePath] { map.map { [file, $0] } ?? [] }

  /// Returns the format that the name of a file asks for; `nil` if there is none.
  static func container(_ file: FilePath) -> SoundFileWriter.Container? {
    file.extension.flatMap { SegmentFormat(rawValue: $0.lowercased()) }?.container
  }
}

/// The sound of a recording, as files made from it keep it.
struct SoundFormat: Sendable, Hashable {
  var rate: Int
  var channelCount: Int
  /// The bits of an integer sample; `nil` for floats.
  var bits: Int?
  /// Whether the whole recording may be too long for WAV.
  var isLong: Bool

  init(_ source: any RecordedSource, channelCount: Int) {
    self.init(rate: source.sampleRate, channelCount: channelCount, bits: source.bitsPerSample)
    let frameSize = Int64(channelCount * (bits ?? 32) / 8)
    isLong = (source.expectedFrameCount ?? 0) > Int64(UInt32.max) / frameSize - 4096
  }

  /// Creates the format of a recording whose samples have `bits` bits; `nil` for floats.
  init(rate: Int, channelCount: Int, bits: Int?) {
    (self.rate, self.channelCount) = (rate, channelCount)
    self.bits = bits.map { max(16, $0) }
    isLong = false
  }
}

/// A file of sound that appears under its name only when it is complete.
final class SavedSound {
  private var name: String { file.name }
  private let file: OutputFile
  private let writer: SoundFileWriter

  init(
    _ file: OutputFile, _ container: SoundFileWriter.Container, _ format: SoundFormat
  ) throws(OutputError) {
    self.file = file
    do throws(Errno) {
      writer = try SoundFileWriter(
        try file.duplicate(), container == .wav && format.isLong ? .rf64 : container,
        bits: format.bits, sampleRate: format.rate, channelCount: format.channelCount)
    } catch {
      throw error == .invalidArgument || error == .illegalSeek
        ? .cannotHold(name: file.name, container.rawValue, channels: format.channelCount)
        : .init(name: file.name, error)
    }
  }

  /// How many samples were beyond full scale, and are clipped in the file.
  var clippedCount: Int { writer.clippedCount }

  /// Returns the warning about such samples; `nil` if there are none. Only FLAC has none of the floats that hold them.
  static func warning(clipped count: Int, of option: String, remedy: String) -> String? {
    guard count > 0 else { return nil }
    let samples = counted(count, "sample beyond full scale was", "samples beyond full scale were")
    return "\(samples) clipped in the FLAC of \(option); \(remedy) to keep the peaks"
  }

  func write(_ frames: Span<Float>) throws(OutputError) {
    do throws(Errno) { try writer.write(frames) } catch { throw OutputError(name: name, error) }
  }

  /// - Parameter next: As ``OutputFile/commit(orAs:)`` takes it.
  func commit(orAs next: (() -> FilePath)? = nil) throws(OutputError) {
    do throws(Errno) { try writer.finish() } catch { throw OutputError(name: name, error) }
    try file.commit(orAs: next)
  }
}
