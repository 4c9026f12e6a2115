/// Formats of which only the head is known here.
///
/// Sources: the sources of libsndfile for the rare formats; RFC 4867 (AMR); ETSI TS 102 114 (DTS).
extension AudioFormat {
  /// Formats that libsndfile reads from a file.
  static let rare: [AudioFormat] = [
    AudioFormat(
      name: "SVX", endings: ["8svx", "16svx", "iff"], recognise: isSVX, unit: chunk,
      isTornSilently: true),
    AudioFormat(name: "PVF", endings: ["pvf"], recognise: heads("PVF1")),
    AudioFormat(name: "AVR", endings: ["avr"], recognise: heads("2BIT")),
    AudioFormat(name: "PAF", endings: ["paf"], recognise: heads(" paf", "fap ")),
    AudioFormat(name: "XI", endings: [], recognise: heads("Extended Instrument:")),
    AudioFormat(name: "WVE", endings: ["wve"], recognise: heads("ALawSoundFile**")),
    AudioFormat(name: "MAT5", endings: [], recognise: heads("MATLAB 5.0 MAT-file")),
    // A real matrix of one row and one column with a name of 11 bytes, which is the sample rate.
    AudioFormat(
      name: "MAT4", endings: [],
      recognise: heads(
        [0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 11, 0, 0, 0],
        [0, 0, 3, 0xE8, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 11])),
    AudioFormat(name: "IRCAM", endings: ["ircam", "sf"], recognise: isIRCAM),
    AudioFormat(name: "SDS", endings: ["sds"], recognise: isSampleDump),
  ].map { format in
    var format = format
    format.decoder = .libsndfile
    return format
  }

  /// Formats that ffmpeg reads.
  static let foreign: [AudioFormat] = [
    AudioFormat(
      name: "WavPack", endings: ["wv"], recognise: isWavPack, demuxers: ["wv"], unit: wavPackBlock),
    AudioFormat(
      name: "Monkey's Audio", endings: ["ape"], recognise: heads("MAC "), demuxers: ["ape"]),
    AudioFormat(
      name: "AMR", endings: ["amr", "awb"], recognise: heads("#!AMR"),
      demuxers: ["amr", "amrnb", "amrwb"]),
    AudioFormat(
      name: "RealMedia", endings: ["rm", "ra"], recognise: heads(".RMF\0\0\0"), demuxers: ["rm"]),
    AudioFormat(
      name: "NUT", endings: ["nut"], recognise: heads("nut/multimedia"), demuxers: ["nut"]),
    // The sync word, and a normal frame without deficit, in either byte order.
    AudioFormat(
      name: "DTS", endings: ["dts"],
      recognise: heads(
        [0x7F, 0xFE, 0x80, 0x01, 0xFC], [0xFE, 0x7F, 0x01, 0x80, 0x00, 0xFC]),
      demuxers: ["dts", "dtshd"]),
    AudioFormat(name: "GSM", endings: ["gsm"], recognise: { _ in .no }, demuxers: ["gsm"]),
  ]

  /// A list of other files, which are not read.
  static let playlist = AudioFormat(
    name: "playlist", endings: [], recognise: heads("ffconcat version", "#EXTM3U", "[playlist]"),
    decoder: .nobody)

  /// The block must be the first of its recording, at index 0.
  @Sendable private static func isWavPack(_ head: [UInt8]) -> Certainty {
    head.count >= 28 && head.has("wvpk", at: 0) && head[16..<20].allSatisfy { $0 == 0 }
      && head[25] & 8 != 0 ? .anywhere : .no
  }

  @Sendable private static func wavPackBlock(_ file: Region, _ offset: Int64) -> Int64? {
    guard let head = file.bytes(at: offset, count: 8), head.has("wvpk", at: 0) else { return nil }
    return 8 + Int64(head.integer(at: 4, as: UInt32.self))
  }

  @Sendable private static func isSVX(_ head: [UInt8]) -> Certainty {
    head.has("FORM", at: 0) && (head.has("8SVX", at: 8) || head.has("16SV", at: 8)) ? .atStart : .no
  }

  /// The header of a MIDI sample dump, whose bytes have 7 bits.
  @Sendable private static func isSampleDump(_ head: [UInt8]) -> Certainty {
    head.starts(with: [0xF0, 0x7E]) && head.count >= 20 && head[3] == 1
      && head[2..<20].allSatisfy { $0 < 0x80 } ? .atStart : .no
  }

  /// At most 256 channels follow the head and a rate.
  @Sendable private static func isIRCAM(_ head: [UInt8]) -> Certainty {
    guard head.count >= 12 else { return .no }
    let (little, big) = (head[0] == 0x64, head[0] == 0)
    let version = little ? head[2] : head[1]
    let expected: [UInt8] = little ? [0x64, 0xA3, version, 0] : [0, version, 0xA3, 0x64]
    return (little || big) && 1...4 ~= version && head.starts(with: expected)
      && 1...256 ~= head.integer(at: 8, as: UInt32.self, isBigEndian: big) ? .atStart : .no
  }
}
