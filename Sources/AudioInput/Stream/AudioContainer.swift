internal import SystemPackage

/// The format of a file or stream, where its first bytes leave no doubt.
///
/// Sources: RIFF, RF64, BW64, AIFF, AU, CAF and W64 as in ``WaveHeader`` and ``AudioChunk``; RFC 9639 (FLAC); RFC 3533
/// (Ogg); id3.org; ISO/IEC 14496-12 (MP4); RFC 8794 (Matroska, WebM); "Advanced Systems Format" 1.2 (WMA); RFC 4867
/// (AMR); "Creative Labs Audio File Format" (VOC); ISO/IEC 13818-1 (MPEG streams); ETSI TS 102 114 (DTS); the sources of
/// libsndfile for the rare formats.
package enum AudioContainer: Hashable, Sendable {
  case wave, wave64, flac
  case ogg, aiff, au, caf, voc, mpeg
  /// Another format that libsndfile reads from a file, with its usual name.
  case rare(String)
  /// A format that libsndfile does not read, with its usual name.
  case foreign(String)
  /// A list of other files, which are not read.
  case playlist

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
    case .rare(let name), .foreign(let name): name
    case .playlist: "playlist"
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
      case nil:
        guard try Self.isTransportStream(head) else { return nil }
        self = .foreign("MPEG-TS")
      }
    }
  }

  /// Formats that four bytes identify.
  private static let fourBytes: [String: AudioContainer] = [
    "fLaC": .flac, "OggS": .ogg, "caff": .caf, ".snd": .au, "wvpk": .foreign("WavPack"),
    "MAC ": .foreign("Monkey's Audio"), "FLV\u{1}": .foreign("Flash video"),
    "TTA1": .foreign("True Audio"), "PVF1": .rare("PVF"), "2BIT": .rare("AVR"),
    " paf": .rare("PAF"), "fap ": .rare("PAF"),
  ]

  /// Heads of more than four bytes that are the same in all files.
  private static let longHeads: [(head: [UInt8], container: AudioContainer)] = [
    (Array("Creative Voice File\u{1A}".utf8), .voc),
    (Array("#!AMR".utf8), .foreign("AMR")),
    (Array("NIST_1A\n".utf8), .rare("SPH")),
    (Array("Extended Instrument:".utf8), .rare("XI")),
    (Array("ALawSoundFile**".utf8), .rare("WVE")),
    (Array("MATLAB 5.0 MAT-file".utf8), .rare("MAT5")),
    (Array(".RMF\0\0\0".utf8), .foreign("RealMedia")),
    (Array("nut/multimedia".utf8), .foreign("NUT")),
    (Array("ffconcat version".utf8), .playlist),
    (Array("#EXTM3U".utf8), .playlist),
    (Array("[playlist]".utf8), .playlist),
    (advancedSystemsID, .foreign("WMA")),
    // A real matrix of one row and one column with a name of 11 bytes, which is the sample rate.
    ([0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 11, 0, 0, 0], .rare("MAT4")),
    ([0, 0, 3, 0xE8, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 11], .rare("MAT4")),
    // The sync word, and a normal frame without deficit, in either byte order.
    ([0x7F, 0xFE, 0x80, 0x01, 0xFC], .foreign("DTS")),
    ([0xFE, 0x7F, 0x01, 0x80, 0x00, 0xFC], .foreign("DTS")),
  ]

  /// The first bytes of formats that need more bytes.
  private static let mayGoOn: [[UInt8]] =
    ["RIFF", "RIFX", "RF64", "BW64", "riff", "FORM", "ID3"].map { Array($0.utf8) }
    + [[0x1A, 0x45, 0xDF, 0xA3], [0, 0, 1, 0xBA], [0xF0, 0x7E]]
    + longHeads.map { Array($0.head.prefix(4)) }
    + ircamHeads

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
    case "FORM" where ["8SVX", "16SV"].contains(form): return .rare("SVX")
    case "FORM": return ["AIFF", "AIFC"].contains(form) ? .aiff : nil
    default: break
    }
    if bytes.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) { return .foreign("Matroska or WebM") }
    if bytes.starts(with: "ID3".utf8) { return isTag(bytes) ? .mpeg : nil }
    if bytes.starts(with: [0, 0, 1, 0xBA]) { return isPack(bytes) ? .foreign("MPEG-PS") : nil }
    if bytes.starts(with: [0xF0, 0x7E]) { return isSampleDump(bytes) ? .rare("SDS") : nil }
    if isIRCAM(bytes) { return .rare("IRCAM") }
    return longHeads.first { bytes.starts(with: $0.head) }?.container
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

  /// Returns whether the time of an MPEG-1 or MPEG-2 pack has its fixed bits.
  private static func isPack(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= 10 else { return false }
    return bytes[4] & 0xF1 == 0x21 && bytes[6] & bytes[8] & 1 == 1
      || bytes[4] & 0xC4 == 0x44 && bytes[6] & bytes[8] & 4 == 4 && bytes[9] & 1 == 1
  }

  /// Returns whether this is the header of a MIDI sample dump, whose bytes have 7 bits.
  private static func isSampleDump(_ bytes: [UInt8]) -> Bool {
    bytes.count == 20 && bytes[3] == 1 && bytes[2...].allSatisfy { $0 < 0x80 }
  }

  private static let ircamHeads: [[UInt8]] =
    (1...4).flatMap { [[0x64, 0xA3, $0, 0], [0, $0, 0xA3, 0x64]] }

  /// Returns whether at most 256 channels follow a head of IRCAM and a rate.
  private static func isIRCAM(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= 12, ircamHeads.contains(Array(bytes[..<4])) else { return false }
    return 1...256 ~= bytes.integer(at: 8, as: UInt32.self, isBigEndian: bytes[0] == 0)
  }

  /// Returns whether the first five packets of 188 bytes begin with 0x47, with or without 4 bytes before each.
  private static func isTransportStream<Failure: Error>(
    _ head: (Int) throws(Failure) -> ArraySlice<UInt8>
  ) throws(Failure) -> Bool {
    for (start, length) in [(0, 188), (4, 192)] {
      var count = 0
      while count < 5,
        try head(start + count * length + 1).dropFirst(start + count * length).first == 0x47
      {
        count += 1
      }
      if count == 5 { return true }
    }
    return false
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
