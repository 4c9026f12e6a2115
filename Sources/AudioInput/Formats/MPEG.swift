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
    while let frame = MPEGFrame(in: file, at: end), frame.kind == first.kind {
      end += Int64(frame.length)
    }
    return end
  }
}

/// The silent frame that encoders put at the beginning of an MP3. It states how long the sound is, and how much padding
/// the encoder has added on both sides.
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

  /// Returns `nil` for a frame of sound.
  init?(_ frame: [UInt8]) {
    // Every frame is asked: the first letter decides.
    func tag(at place: Int, _ name: StaticString) -> Fields? {
      guard frame.count >= place + 18, frame[place] == name.utf8Start[0], frame.has(name, at: place)
      else { return nil }
      return Fields(Array(frame[place...].prefix(160)), isBigEndian: true)
    }
    // A version, a delay, a quality and the number of bytes precede.
    if let tag = tag(at: 36, "VBRI") {
      frameCount = statedSize(tag.u32(14)).map { Int($0) }
      return
    }
    // The data of layer III follow the header and the side information.
    guard frame.count > 4 else { return nil }
    let (isVersion1, isMono) = (frame[1] & 8 != 0, frame[3] & 0xC0 == 0xC0)
    let data = 4 + (isVersion1 ? (isMono ? 17 : 32) : (isMono ? 9 : 17))
    guard let tag = tag(at: data, "Xing") ?? tag(at: data, "Info") else { return nil }
    // The flags announce the numbers of frames and bytes, a table of 100 bytes and a quality. A name of 9 bytes and 12
    // more bytes precede the delays.
    let flags = tag.u32(4)
    if flags & 1 != 0, tag.count >= 12 { frameCount = statedSize(tag.u32(8)).map { Int($0) } }
    let name = [(1, 4), (2, 4), (4, 100), (8, 4)].reduce(8) { $0 + (flags & $1.0 != 0 ? $1.1 : 0) }
    guard tag.count >= name + 24, tag.bytes[name..<name + 4].allSatisfy({ 0x20...0x7E ~= $0 })
    else { return }
    let both = tag.u32(name + 20) & 0xFF_FFFF
    (delay, padding) = (both >> 12, both & 0xFFF)
  }
}
