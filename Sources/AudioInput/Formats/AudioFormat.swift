package import SystemPackage

/// A format of recordings: how it is recognised, who decodes it, and where it ends. The facts of each format stand in a
/// file of their own in this folder.
package struct AudioFormat: Hashable, Sendable {
  /// The format's usual name.
  package let name: String
  /// The extensions that its files have.
  var endings: [String] = []
  /// How its recordings begin where one should begin. Four bytes of a name occur in any sound.
  var heads: [Head] = []
  /// How they begin anywhere: at least eight bytes are known.
  var certainHeads: [Head] = []
  /// Who decodes it, unless it holds plain PCM.
  var decoder = Decoder.ffmpeg
  /// Finds what libsndfile would misread, or not report.
  var flaws: (@Sendable (Region) -> Flaws)?
  /// ffmpeg's names of the format, the one for a recognised head first.
  var demuxers: [String] = []
  /// Describes its PCM; `nil` for a format that has none, or with another codec.
  var pcm: (@Sendable (Region) -> PCMDescription?)?
  /// Its chunks, if it consists of them.
  var chunks: ChunkForm?
  /// What knows the lengths of its units, if those are not its chunks.
  var unit: Unit?
  /// Whether its decoder does not always report that a file is cut off.
  var isTornSilently = false
  /// Whether it holds no times, so that those that ffmpeg derives are useless.
  var isWithoutTimes = false

  /// Whether it is nothing but frames.
  var isFrames: Bool { [.mpeg, .aac, .loas, .ac3, .dts].contains(self) }

  /// What a recording has that libsndfile would misread, or not report.
  struct Flaws {
    /// Whether its end is missing.
    var isCutOff = false
    /// Whether a part within it is damaged or missing.
    var isDamaged = false
    /// Whether ffmpeg is asked first.
    var isForFFmpeg = false
  }

  /// Returns the length of the unit at an offset; see ``RecordingEnd``.
  typealias Unit = @Sendable (Region, Int64) -> Int64?

  /// Who is asked first. Whatever they refuse, ffmpeg is asked too.
  enum Decoder { case libFLAC, libmpg123, libsndfile, ffmpeg }

  package static func == (one: Self, other: Self) -> Bool { one.name == other.name }
  package func hash(into hasher: inout Hasher) { hasher.combine(name) }

  /// All formats, in the order in which they are tried.
  static let all: [AudioFormat] =
    [
      .wave, .wave64, .flac, .ogg, .aiff, .au, .caf, .sphere, .voc, .mp4, .matroska, .asf, .avi,
      .flash, .trueAudio, .programStream, .mpeg, .aac, .loas, .ac3, .dts,
      .transportStream, .playlist,
    ] + rare + foreign
}

// MARK: - Recognition

/// The bytes with which recordings of a format begin.
struct Head: ExpressibleByStringLiteral {
  /// `nil` stands for any byte.
  private let bytes: [UInt8?]
  /// Judges bytes that have several values, once the others match.
  private let isPlausible: @Sendable ([UInt8]) -> Bool

  /// - Parameter pattern: The bytes as characters of Latin-1. `?` stands for any byte.
  init(_ pattern: String, where isPlausible: @escaping @Sendable ([UInt8]) -> Bool = { _ in true })
  {
    bytes = pattern.unicodeScalars.map { $0 == "?" ? nil : UInt8($0.value) }
    self.isPlausible = isPlausible
  }

  init(stringLiteral pattern: String) { self.init(pattern) }

  var first: UInt8? { bytes.first ?? nil }

  func begins(_ head: ArraySlice<UInt8>) -> Bool {
    head.count >= bytes.count && zip(bytes, head).allSatisfy { $0 == nil || $0 == $1 }
      && isPlausible(Array(head))
  }
}

extension AudioFormat {
  /// The number of bytes that a head may have.
  static let headLength = 32

  private typealias Candidate = (format: AudioFormat, head: Head, isCertain: Bool)

  /// The heads by their first byte.
  private static let candidates: [[Candidate]] = {
    let every = AudioFormat.all.flatMap { format in
      format.certainHeads.map { Candidate(format, $0, true) }
        + format.heads.map { Candidate(format, $0, false) }
    }
    let byFirst = Dictionary(grouping: every) { $0.head.first }
    return (0...255).map { (byFirst[$0] ?? []) + (byFirst[nil] ?? []) }
  }()

  /// Recognises the format of the recording that begins with the next bytes; `nil` in doubt. It asks for no more bytes
  /// than must be there, because the writer of a pipe may be slow.
  ///
  /// - Parameter one: The format of a recording of which this may be a part. Then only a certain head of that counts.
  init?(of region: Region, at offset: Int64 = 0, behind one: AudioFormat? = nil) {
    let head = region.upTo(Self.headLength, at: offset)
    guard let first = head.first else { return nil }
    let found =
      Self.candidates[Int(first)].first {
        ($0.isCertain || $0.format != one) && $0.head.begins(head[...])
      }?.format
      ?? MPEGFrame.format(in: region, at: offset)
      ?? Self.packetForm(region, at: offset).map { _ in .transportStream }
    guard let found else { return nil }
    self = found
  }

  /// Returns whether bytes begin with a head that counts anywhere.
  package static func isRecording(_ bytes: [UInt8]) -> Bool {
    guard let first = bytes.first else { return false }
    let head = bytes.prefix(headLength)
    return candidates[Int(first)].contains { $0.isCertain && $0.head.begins(head) }
  }

  /// Searches for a head that counts anywhere. Returns its format and place.
  static func search(_ bytes: [UInt8]) -> (format: AudioFormat, place: Int)? {
    for place in 0..<max(0, bytes.count - headLength + 1) {
      let head = bytes[place..<place + headLength]
      let found = candidates[Int(bytes[place])].first { $0.isCertain && $0.head.begins(head) }
      if let found { return (found.format, place) }
    }
    return nil
  }
}

extension [UInt8] {
  /// Returns whether the bytes from `offset` on are those of an ASCII text.
  func has(_ text: StaticString, at offset: Int) -> Bool {
    let end = offset + text.utf8CodeUnitCount
    guard end <= count else { return false }
    return text.withUTF8Buffer { self[offset..<end].elementsEqual($0) }
  }
}

/// Returns whether at least two thirds of frames or packets have nearly the same bytes as one before. A periodic signal
/// with noise may have such, but compressed sound does not resemble itself: most of its bytes differ by more than 16.
func isPeriodic(_ frames: [[UInt8]]) -> Bool {
  let new = frames.indices.count { index in
    !frames[..<index].contains { one in
      zip(one, frames[index]).count { Int8(bitPattern: $0 &- $1).magnitude > 16 } <= one.count / 8
    }
  }
  return new <= frames.count / 3
}

// MARK: - Names

/// What the extensions of file names say about their content, in upper or lower case.
package enum MediaName {
  /// Returns whether a file with that name is a recording, or should be.
  package static func isRecording(_ path: FilePath) -> Bool { format(of: path) != nil }

  /// Returns whether an extension, without its dot, is that of a recording.
  package static func isRecording(ending: String) -> Bool { formats[ending.lowercased()] != nil }

  /// Returns whether the extension is one of WAV.
  package static func isWAV(_ path: FilePath) -> Bool { format(of: path) == .wave }

  /// Returns the format that the extension is for.
  static func format(of path: FilePath) -> AudioFormat? {
    path.extension.flatMap { formats[$0.lowercased()] }
  }

  private static let formats = Dictionary(
    AudioFormat.all.flatMap { format in format.endings.map { ($0, format) } },
    uniquingKeysWith: { first, _ in first })
}
