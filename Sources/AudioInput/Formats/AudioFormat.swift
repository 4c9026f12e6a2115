package import SystemPackage

/// A format of recordings: how it is recognised, who decodes it, and where it ends. The facts of each format stand in a
/// file of their own in this folder.
package struct AudioFormat: Hashable, Sendable {
  /// The format's usual name.
  package let name: String
  /// The extensions that its files have.
  let endings: [String]
  /// Judges the first bytes of a recording, ``headLength`` of them or as many as there are.
  let recognise: @Sendable ([UInt8]) -> Certainty
  /// Who decodes it, unless it holds plain PCM.
  var decoder = Decoder.ffmpeg
  /// ffmpeg's names of the format, the one for a recognised head first.
  var demuxers: [String] = []
  /// Describes its PCM; `nil` for a format that has none, or with another codec.
  var pcm: (@Sendable (Region) -> PCMDescription?)?
  /// Returns the length of the unit at an offset; see ``RecordingEnd``.
  var unit: (@Sendable (Region, Int64) -> Int64?)?
  /// Whether its decoder does not always report that a file is cut off.
  var isTornSilently = false
  /// Whether its frames carry no times, so that what ffmpeg derives from them is of no use.
  var isWithoutTimes = false

  /// Where a head counts.
  enum Certainty {
    case no
    /// Where a recording should begin. Four bytes of a name occur in any sound.
    case atStart
    /// Anywhere: at least eight bytes match.
    case anywhere
  }

  /// Who is asked first. Whatever they refuse, ffmpeg is asked too.
  enum Decoder { case libFLAC, libmpg123, libsndfile, ffmpeg, nobody }

  /// The number of bytes that ``recognise`` examines.
  static let headLength = 32

  package static func == (one: Self, other: Self) -> Bool { one.name == other.name }
  package func hash(into hasher: inout Hasher) { hasher.combine(name) }

  /// All formats, in the order in which they are tried.
  static let all: [AudioFormat] =
    [
      .wave, .wave64, .flac, .ogg, .aiff, .au, .caf, .sphere, .voc, .mp4, .matroska, .asf, .avi,
      .flash, .trueAudio, .programStream, .mpeg, .aac, .ac3, .transportStream, .playlist,
    ] + rare + foreign
}

// MARK: - Recognition

extension AudioFormat {
  /// Recognises the format of the recording that begins with the next bytes; `nil` in doubt. It asks for no more bytes
  /// than must be there, because the writer of a pipe may be slow.
  init?(of region: Region, at offset: Int64 = 0) {
    let head = region.upTo(Self.headLength, at: offset)
    let found =
      Self.all.first { $0.recognise(head) != .no }
      ?? MPEGFrame.format(in: region, at: offset, mayBeFree: true)
      ?? (Self.isTransportStream(region, at: offset) ? .transportStream : nil)
    guard let found else { return nil }
    self = found
  }

  /// The bytes with which heads that count anywhere begin.
  private static let firstBytes: Set<UInt8> = Set("RBfOF.crCNTw".utf8).union([0, 0x1A, 0x30])

  /// Searches for a head that counts anywhere. Returns its format and place.
  static func search(_ bytes: [UInt8]) -> (format: AudioFormat, place: Int)? {
    for place in 0..<max(0, bytes.count - headLength + 1) where firstBytes.contains(bytes[place]) {
      // Zeros are frequent; this one must be the length of an MP4's first box.
      if bytes[place] == 0, bytes[place + 4] != UInt8(ascii: "f") { continue }
      let head = Array(bytes[place..<place + headLength])
      if let format = all.first(where: { $0.recognise(head) == .anywhere }) {
        return (format, place)
      }
    }
    return nil
  }

  /// Returns a judgement for heads that are the same in all files.
  static func heads(
    _ heads: [UInt8]..., count certainty: Certainty = .atStart
  ) -> @Sendable ([UInt8]) -> Certainty {
    { bytes in heads.contains { bytes.starts(with: $0) } ? certainty : .no }
  }

  static func heads(
    _ heads: String..., count certainty: Certainty = .atStart
  ) -> @Sendable ([UInt8]) -> Certainty {
    { bytes in heads.contains { bytes.starts(with: $0.utf8) } ? certainty : .no }
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

// MARK: - Names

/// What the extensions of file names say about their content, in upper or lower case.
package enum MediaName {
  /// Returns whether a file with that name is a recording, or should be.
  package static func isRecording(_ path: FilePath) -> Bool { format(of: path) != nil }

  /// Returns whether an extension, without its dot, is that of a recording.
  package static func isRecording(ending: String) -> Bool { formats[ending.lowercased()] != nil }

  /// Returns the format that the extension is for.
  static func format(of path: FilePath) -> AudioFormat? {
    path.extension.flatMap { formats[$0.lowercased()] }
  }

  private static let formats = Dictionary(
    AudioFormat.all.flatMap { format in format.endings.map { ($0, format) } },
    uniquingKeysWith: { first, _ in first })
}
