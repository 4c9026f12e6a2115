/// Formats of which only the head is known here.
///
/// Sources: the sources of libsndfile for the rare formats; RFC 4867 (AMR).
extension AudioFormat {
  /// Formats that libsndfile reads from a file.
  static let rare = [
    AudioFormat(
      name: "SVX", endings: ["8svx", "16svx", "iff"],
      certainHeads: ["FORM????8SVX", "FORM????16SV"],
      decoder: .libsndfile, chunks: ChunkForm(sound: "BODY", isBigEndian: true, alignment: 2),
      isTornSilently: true),
    AudioFormat(name: "PVF", endings: ["pvf"], heads: ["PVF1"], decoder: .libsndfile),
    AudioFormat(name: "AVR", endings: ["avr"], heads: ["2BIT"], decoder: .libsndfile),
    AudioFormat(name: "PAF", endings: ["paf"], heads: [" paf", "fap "], decoder: .libsndfile),
    AudioFormat(name: "XI", heads: ["Extended Instrument:"], decoder: .libsndfile),
    AudioFormat(name: "WVE", endings: ["wve"], heads: ["ALawSoundFile**"], decoder: .libsndfile),
    AudioFormat(name: "MAT5", heads: ["MATLAB 5.0 MAT-file"], decoder: .libsndfile),
    // A real matrix of one row and one column with a name of 11 bytes, which is the sample rate.
    AudioFormat(
      name: "MAT4",
      heads: [
        "\0\0\0\0\u{1}\0\0\0\u{1}\0\0\0\0\0\0\0\u{B}\0\0\0",
        "\0\0\u{3}\u{E8}\0\0\0\u{1}\0\0\0\u{1}\0\0\0\0\0\0\0\u{B}",
      ], decoder: .libsndfile),
    // Versions 1 to 4 in either byte order. At most 256 channels follow the head and a rate.
    AudioFormat(
      name: "IRCAM", endings: ["ircam", "sf"],
      heads: [
        Head("d\u{A3}?\0????????") { 1...4 ~= $0[2] && 1...256 ~= Fields($0).u32(8) },
        Head("\0?\u{A3}d????????") {
          1...4 ~= $0[1] && 1...256 ~= Fields($0, isBigEndian: true).u32(8)
        },
      ], decoder: .libsndfile),
    // The header of a MIDI sample dump, whose bytes have 7 bits.
    AudioFormat(
      name: "SDS", endings: ["sds"],
      heads: [Head("\u{F0}~?\u{1}????????????????") { $0[2..<20].allSatisfy { $0 < 0x80 } }],
      decoder: .libsndfile),
  ]

  /// Formats that ffmpeg reads.
  static let foreign = [
    // The block must be the first of its recording, at index 0.
    AudioFormat(
      name: "WavPack", endings: ["wv"],
      certainHeads: [Head("wvpk????????????\0\0\0\0????????") { $0[25] & 8 != 0 }],
      demuxers: ["wv"], chunks: ChunkForm(first: 0)),
    AudioFormat(name: "Monkey's Audio", endings: ["ape"], heads: ["MAC "], demuxers: ["ape"]),
    AudioFormat(
      name: "AMR", endings: ["amr", "awb"],
      certainHeads: [Head("#!AMR\n?") { $0[6] & 0x83 == 0 }, "#!AMR-WB\n"],
      demuxers: ["amr", "amrnb", "amrwb"], unit: amrFrame),
    AudioFormat(
      name: "RealMedia", endings: ["rm", "ra"], heads: [".RMF\0\0\0"], demuxers: ["rm"]),
    AudioFormat(name: "NUT", endings: ["nut"], heads: ["nut/multimedia"], demuxers: ["nut"]),
    AudioFormat(name: "GSM", endings: ["gsm"], demuxers: ["gsm"]),
  ]

  /// A head, and frames, of which four bits of the first byte tell the length.
  @Sendable private static func amrFrame(_ file: Region, _ offset: Int64) -> Int64? {
    let isWide = file.bytes(at: 5, count: 1) != [0x0A]
    if offset == 0 { return isWide ? 9 : 6 }
    guard let first = file.bytes(at: offset, count: 1)?[0], first & 0x83 == 0 else { return nil }
    let lengths: [Int64] =
      isWide
      ? [18, 24, 33, 37, 41, 47, 51, 59, 61, 6, 0, 0, 0, 0, 1, 1]
      : [13, 14, 16, 18, 20, 21, 27, 32, 6, 0, 0, 0, 0, 0, 0, 1]
    return lengths[Int(first >> 3)]
  }

  /// What ffmpeg calls further formats, which only ffmpeg recognises.
  static let otherDemuxers =
    """
    adx aa ast dv gxf hcom mlp mmf mpc mpc8 mxf oma qcp shn sln sox swf tak truehd vqf wtv xa xwma
    """.split(separator: " ").map(String.init)

  /// A list of other files, which are not read.
  static let playlist = AudioFormat(
    name: "playlist", heads: ["ffconcat version", "#EXTM3U", "[playlist]"], decoder: .nobody)
}
