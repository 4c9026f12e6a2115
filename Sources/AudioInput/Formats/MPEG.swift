/// MPEG audio (MP3, MP2, MP1), AAC, AC-3 and DTS: frames one behind the other, which ``MPEGFrame`` recognises.
extension AudioFormat {
  static let mpeg = AudioFormat(
    name: "MP3", endings: ["mp3", "mp2", "mp1", "mpga"], decoder: .libmpg123, demuxers: ["mp3"],
    isWithoutTimes: true)

  static let aac = AudioFormat(
    name: "AAC", endings: ["aac"], demuxers: ["aac"], unit: frames, isWithoutTimes: true)

  static let loas = AudioFormat(
    name: "AAC in LOAS", endings: ["latm", "loas"], demuxers: ["loas"], unit: frames,
    isWithoutTimes: true)

  static let ac3 = AudioFormat(
    name: "AC-3", endings: ["ac3", "eac3"], demuxers: ["ac3", "eac3"], unit: frames,
    isWithoutTimes: true)

  /// In another byte order, or of 14 bits, only the first frame is known: the sync word, and a normal frame without
  /// deficit.
  static let dts = AudioFormat(
    name: "DTS", endings: ["dts"], heads: ["\u{FE}\u{7F}\u{1}\u{80}\0\u{FC}"],
    demuxers: ["dts", "dtshd"], unit: frames, isWithoutTimes: true)

  /// All frames, of whatever rate, count as one unit.
  @Sendable private static func frames(_ file: Region, _ offset: Int64) -> Int64? {
    guard offset == 0, let first = MPEGFrame(in: file) else { return nil }
    var end: Int64 = 0
    while let frame = MPEGFrame(in: file, at: end), frame.format == first.format {
      end += Int64(frame.length)
    }
    return end
  }
}

/// The frame without sound with which encoders begin an MP3. It tells how long the sound is, and how much the encoder has
/// added before and behind it.
///
/// Sources: the Xing header as LAME and ffmpeg write it; "VBRI header" (Fraunhofer).
struct MPEGInfo {
  /// The number of frames that follow; `nil` if it is not stated.
  private(set) var frameCount: Int?
  /// The frames of PCM that the encoder has added before the sound, if they are stated, and behind it.
  private(set) var delay: Int?
  private(set) var padding = 0

  /// The frames of PCM that the encoder has added.
  var added: Int { (delay ?? 0) + padding }

  /// Reads the frame with this header and content behind it. Returns `nil` for a frame of sound.
  init?(header: UInt32, content: UnsafeBufferPointer<UInt8>) {
    // Every frame is asked: the first letter decides.
    func tag(at place: Int, _ name: StaticString) -> Fields? {
      guard content.count >= place + 18, content[place] == name.utf8Start[0] else { return nil }
      let tag = Fields(Array(content[place...].prefix(160)), isBigEndian: true)
      return tag.bytes.has(name, at: 0) ? tag : nil
    }
    // A version, a delay, a quality and the number of bytes precede.
    if let tag = tag(at: 32, "VBRI") {
      frameCount = statedSize(tag.u32(14)).map { Int($0) }
      return
    }
    let side = Self.sideInformationLength(header)
    guard let tag = tag(at: side, "Xing") ?? tag(at: side, "Info") else { return nil }
    // The flags announce the numbers of frames and bytes, a table of 100 bytes and a quality. A name of 9 bytes and 12
    // more bytes precede the delays.
    let flags = tag.u32(4)
    if flags & 1 != 0, tag.count >= 12 { frameCount = statedSize(tag.u32(8)).map { Int($0) } }
    let name = [(1, 4), (2, 4), (4, 100), (8, 4)].reduce(8) { $0 + (flags & $1.0 != 0 ? $1.1 : 0) }
    guard tag.count >= name + 24, tag.bytes[name..<name + 4].allSatisfy({ 0x20...0x7E ~= $0 })
    else {
      return
    }
    let both = tag.u32(name + 20) & 0xFF_FFFF
    (delay, padding) = (both >> 12, both & 0xFFF)
  }

  /// Returns how many bytes layer III has between a frame's header and its data, where the name begins: 9 to 32.
  private static func sideInformationLength(_ header: UInt32) -> Int {
    let (isVersion1, isMono) = (header & 0x8_0000 != 0, header & 0xC0 == 0xC0)
    return isVersion1 ? (isMono ? 17 : 32) : (isMono ? 9 : 17)
  }
}
