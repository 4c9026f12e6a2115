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
    // Versions 1 to 4. At most 256 channels follow the head and a rate, in a byte order that the head does not tell.
    AudioFormat(
      name: "IRCAM", endings: ["ircam", "sf"],
      heads: [
        Head("d\u{A3}?\0????????") { 1...4 ~= $0[2] && hasFewChannels($0) },
        Head("\0?\u{A3}d????????") { 1...4 ~= $0[1] && hasFewChannels($0) },
      ], decoder: .libsndfile),
    // The header of a MIDI sample dump, whose bytes have 7 bits.
    AudioFormat(
      name: "SDS", endings: ["sds"],
      heads: [Head("\u{F0}~?\u{1}????????????????") { $0[2..<20].allSatisfy { $0 < 0x80 } }],
      decoder: .libsndfile),
  ]

  /// Formats that ffmpeg reads.
  static let foreign = [
    // Anywhere, the block must be the first of its recording, at index 0.
    AudioFormat(
      name: "WavPack", endings: ["wv"],
      heads: ["wvpk?????\u{4}"],
      certainHeads: [Head("wvpk????????????\0\0\0\0????????") { $0[25] & 8 != 0 }],
      demuxers: ["wv"], chunks: ChunkForm(first: 0)),
    AudioFormat(name: "Monkey's Audio", endings: ["ape"], heads: ["MAC "], demuxers: ["ape"]),
    AudioFormat(
      name: "AMR", endings: ["amr", "awb"],
      certainHeads: [Head("#!AMR\n?") { $0[6] & 0x83 == 0 }, "#!AMR-WB\n"],
      demuxers: ["amr", "amrnb", "amrwb"], unit: amrFrame),
    AudioFormat(
      name: "RealMedia", endings: ["rm", "ra"], heads: [".RMF\0\0\0", ".ra\u{FD}"],
      demuxers: ["rm"]),
    AudioFormat(name: "NUT", endings: ["nut"], heads: ["nut/multimedia"], demuxers: ["nut"]),
    AudioFormat(
      name: "DSD", endings: ["dsf", "dff"],
      certainHeads: ["DSD \u{1C}\0\0\0\0\0\0\0", "FRM8????????DSD "], demuxers: ["dsf", "iff"]),
    AudioFormat(name: "DSS", endings: ["dss", "ds2"], heads: ["\u{2}dss"], demuxers: ["dss"]),
    AudioFormat(
      name: "DV", endings: ["dv", "dif"], heads: [Head("\u{1F}\u{7}\0?") { $0[3] & 0x7F == 0x3F }],
      demuxers: ["dv"]),
    AudioFormat(
      name: "MXF", endings: ["mxf"], certainHeads: ["\u{6}\u{E}+4\u{2}\u{5}\u{1}\u{1}"],
      demuxers: ["mxf"]),
    AudioFormat(
      name: "WTV", endings: ["wtv"], heads: ["\u{B7}\u{D8}\0 7I\u{DA}\u{11}"],
      demuxers: ["wtv"]),
    // The length and the time of the first unit precede its sync word, and its format the other mark.
    AudioFormat(
      name: "TrueHD", endings: ["thd"], heads: ["????\u{F8}ro\u{BA}????\u{B7}R"],
      demuxers: ["truehd"]),
    AudioFormat(
      name: "MLP", endings: ["mlp"], heads: ["????\u{F8}ro\u{BB}????\u{B7}R"], demuxers: ["mlp"]),
    // The head of a packet, a map of the material.
    AudioFormat(
      name: "GXF", endings: ["gxf"], certainHeads: ["\0\0\0\0\u{1}\u{BC}????????\u{E1}\u{E2}"],
      demuxers: ["gxf"]),
    AudioFormat(name: "TAK", endings: ["tak"], heads: ["tBaK"], demuxers: ["tak"]),
    AudioFormat(
      name: "Musepack", endings: ["mpc"], heads: ["MPCK", "MP+"], demuxers: ["mpc8", "mpc"]),
    AudioFormat(
      name: "ADX", endings: ["adx"], heads: ["\u{80}\0??\u{3}\u{12}\u{4}"], demuxers: ["adx"]),
    AudioFormat(name: "Shockwave", endings: ["swf"], heads: ["FWS", "CWS"], demuxers: ["swf"]),
    AudioFormat(name: "QCP", endings: ["qcp"], certainHeads: ["RIFF????QLCM"], demuxers: ["qcp"]),
    AudioFormat(name: "xWMA", certainHeads: ["RIFF????XWMA"], demuxers: ["xwma"]),
    AudioFormat(name: "SoX", heads: [".SoX", "XoS."], demuxers: ["sox"]),
    AudioFormat(name: "GSM", endings: ["gsm"], demuxers: ["gsm"]),
  ]

  private static func hasFewChannels(_ head: [UInt8]) -> Bool {
    [false, true].contains { 1...256 ~= Fields(head, isBigEndian: $0).u32(8) }
  }

  /// A head, and frames, of which four bits of the first byte tell the length.
  @Sendable private static func amrFrame(_ file: Region, _ offset: Int64) -> Int64? {
    let isWide = file.upTo(1, at: 5) != [0x0A]
    if offset == 0 { return isWide ? 9 : 6 }
    guard let first = file.upTo(1, at: offset).first, first & 0x83 == 0 else { return nil }
    let lengths: [Int64] =
      isWide
      ? [18, 24, 33, 37, 41, 47, 51, 59, 61, 6, 0, 0, 0, 0, 1, 1]
      : [13, 14, 16, 18, 20, 21, 27, 32, 6, 0, 0, 0, 0, 0, 0, 1]
    return lengths[Int(first >> 3)]
  }

  /// What ffmpeg calls further formats, which only ffmpeg recognises.
  static let otherDemuxers =
    """
    aa ast hcom mmf oma shn sln vqf xa
    """.split(separator: " ").map(String.init)

  /// A list of other files, which are not read.
  static let playlist = AudioFormat(
    name: "playlist", heads: ["ffconcat version", "#EXTM3U", "[playlist]"])
}
