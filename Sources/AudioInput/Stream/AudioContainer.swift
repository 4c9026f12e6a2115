internal import SystemPackage

/// The format of a file or stream, where its first bytes leave no doubt.
///
/// Sources: RIFF, RF64, BW64, AIFF, AU, CAF and W64 as in ``WaveHeader`` and ``AudioChunk``; RFC 9639 (FLAC); RFC 3533
/// (Ogg); id3.org; ISO/IEC 14496-12 (MP4); RFC 8794 (Matroska, WebM); "Advanced Systems Format" 1.2 (WMA); RFC 4867
/// (AMR); "Creative Labs Audio File Format" (VOC).
package enum AudioContainer: Hashable, Sendable {
  case wave, wave64, flac
  case ogg, aiff, au, caf, voc, mpeg
  /// A format that libsndfile does not read, with its usual name.
  case foreign(String)

  /// The format's usual name.
  package var name: String {
    switch self {
    case .wave: "WAV"
    case .wave64: "W64"
    case .flac: "FLAC"
    case .ogg: "Ogg"
    case .aiff: "AIFF"
    case .au: "AU"
    case .caf: "CAF"
    case .voc: "VOC"
    case .mpeg: "MP3"
    case .foreign(let name): name
    }
  }

  /// Recognises a format, or returns `nil` in doubt. `head` returns the first bytes, as many as asked for or as there
  /// are.
  init?<Failure: Error>(
    head: (Int) throws(Failure) -> ArraySlice<UInt8>
  ) throws(Failure) {
    // Ask for no more than must be there, because the writer of a pipe may be slow.
    let four = Array(try head(4))
    if let known = Self.fourBytes[String(decoding: four, as: UTF8.self)] {
      self = known
      return
    }
    if Self.mayGoOn.contains(where: { four.starts(with: $0) }) {
      guard let known = Self.longer(Array(try head(20))) else { return nil }
      self = known
    } else if four.count == 4, try head(8).dropFirst(4).elementsEqual("ftyp".utf8) {
      let brand = String(decoding: try head(12).dropFirst(8), as: UTF8.self)
      if Self.pictureBrands.contains(brand) { return nil }
      self = .foreign("MP4")
    } else {
      switch try MPEGFrame.kind(ofThreeIn: head) {
      case .mpeg?: self = .mpeg
      case .aac?: self = .foreign("AAC")
      case .ac3?: self = .foreign("AC-3")
      case nil: return nil
      }
    }
  }

  /// Formats that four bytes identify.
  private static let fourBytes: [String: AudioContainer] = [
    "fLaC": .flac, "OggS": .ogg, "caff": .caf, ".snd": .au, "wvpk": .foreign("WavPack"),
    "MAC ": .foreign("Monkey's Audio"), "FLV\u{1}": .foreign("Flash video"),
    "TTA1": .foreign("True Audio"),
  ]

  /// The first bytes of formats that need more bytes.
  private static let mayGoOn: [[UInt8]] =
    ["RIFF", "RIFX", "RF64", "BW64", "riff", "FORM", "ID3", "#!AM", "Crea"].map { Array($0.utf8) }
    + [[0x1A, 0x45, 0xDF, 0xA3], [0x30, 0x26, 0xB2, 0x75]]

  /// Brands of MP4 files that hold pictures.
  private static let pictureBrands: Set = [
    "heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1", "avif", "avis", "crx ",
  ]

  private static func longer(_ bytes: [UInt8]) -> AudioContainer? {
    let form = String(decoding: bytes.dropFirst(8).prefix(4), as: UTF8.self)
    switch String(decoding: bytes.prefix(4), as: UTF8.self) {
    case "RIFF" where form == "AVI ": return .foreign("AVI")
    case "RIFF", "RIFX", "RF64", "BW64": return form == "WAVE" ? .wave : nil
    case "riff": return bytes.starts(with: wave64ID) ? .wave64 : nil
    case "FORM": return ["AIFF", "AIFC"].contains(form) ? .aiff : nil
    case "Crea": return bytes.elementsEqual("Creative Voice File\u{1A}".utf8) ? .voc : nil
    case "#!AM": return bytes.starts(with: "#!AMR".utf8) ? .foreign("AMR") : nil
    default: break
    }
    if bytes.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) { return .foreign("Matroska or WebM") }
    if bytes.starts(with: "ID3".utf8) { return isTag(bytes) ? .mpeg : nil }
    return bytes.starts(with: advancedSystemsID) ? .foreign("WMA") : nil
  }

  private static let wave64ID: [UInt8] = [
    0x72, 0x69, 0x66, 0x66, 0x2E, 0x91, 0xCF, 0x11, 0xA5, 0xD6, 0x28, 0xDB, 0x04, 0xC1, 0x00, 0x00,
  ]
  private static let advancedSystemsID: [UInt8] = [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11]

  /// Returns whether an ID3v2 tag begins here: a version of two bytes, neither 0xFF, flags, and four bytes of 7 bits.
  private static func isTag(_ bytes: [UInt8]) -> Bool {
    bytes.count >= 10 && bytes[3] < 0xFF && bytes[4] < 0xFF
      && bytes[6..<10].allSatisfy { $0 < 0x80 }
  }
}

extension AudioContainer {
  init?(_ stream: ByteStream) throws(AudioInputError) {
    do {
      try self.init { (count) throws(Errno) in try stream.peek(count) }
    } catch {
      throw .readFailed(name: stream.name, error)
    }
  }

  init?(_ file: some HeaderBytes, at offset: Int64 = 0) {
    self.init { count in
      let present = max(0, file.sizeOnDisk - offset)
      return file.bytesOnDisk(at: offset, count: Int(min(Int64(count), present)))?[...] ?? []
    }
  }
}
