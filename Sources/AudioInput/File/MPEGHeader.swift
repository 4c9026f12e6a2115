/// The length that the first bytes of an MPEG audio file (MP3) claim, and whether to believe it.
///
/// The stream itself has no length. Encoders that can go back write it into a first silent frame named
/// "Xing" (variable bit rate) or "Info" (constant). Without such a frame, libmpg123 inside libsndfile estimates
/// the length from the bit rate of the first frame, and libsndfile stops reading there, which may be
/// after a fifth of the file. With one, it stops where the first of several joined files ends. Where the length
/// is missing or too small, libsndfile is therefore shown no length and a file much longer than the real one, so
/// that it reads until the real end.
///
/// Sources: ISO/IEC 11172-3 for the frame header; id3.org, "ID3 tag version 2.4.0" and "ID3v1"; the
/// Xing header as LAME and ffmpeg write it.
struct MPEGHeader {
  /// Whether libsndfile would stop too early: the file claims no length, or is more than 1 % longer than it claims.
  var isShort: Bool {
    frameCount == 0 || (byteCount > 0 && (present - byteCount) * 100 > byteCount)
  }

  /// The MPEG frames and bytes that the file claims; 0 if it claims none.
  private var frameCount: UInt32 = 0
  private var byteCount: Int64 = 0
  /// The offsets on disk of the two numbers.
  private var numbers: Range<Int64>
  /// The offsets of the audio: after a tag at the start, and before one of 128 bytes at the end.
  private let audio: Range<Int64>
  private var present: Int64 { audio.upperBound - audio.lowerBound }

  /// The longest tag before the audio that is accepted: cover pictures take a few MiB.
  private static let longestTag: Int64 = 16 << 20

  /// Reads the header. Returns `nil` unless the file begins with MPEG audio, optionally after a tag.
  init?(_ file: ByteFile) {
    let start = Self.tagLength(file)
    guard start < Self.longestTag, let frame = file.bytesOnDisk(at: start, count: 4),
      frame[0] == 0xFF, frame[1] & 0xE0 == 0xE0, frame[1] & 0x06 != 0
    else { return nil }
    let tag = file.bytesOnDisk(at: file.sizeOnDisk - 128, count: 3)
    let end = tag == Array("TAG".utf8) ? file.sizeOnDisk - 128 : file.sizeOnDisk
    audio = start..<max(start, end)
    numbers = start..<start
    readNumbers(file, at: start + 4 + Self.sideInformationLength(frame))
  }

  /// Reads the flags after the name, whose lowest two bits announce the two numbers, and the numbers.
  private mutating func readNumbers(_ file: ByteFile, at offset: Int64) {
    guard let bytes = file.bytesOnDisk(at: offset, count: 16),
      bytes.starts(with: "Xing".utf8) || bytes.starts(with: "Info".utf8)
    else { return }
    var next = 8
    func number() -> UInt32 {
      defer { next += 4 }
      return bytes.integer(at: next, isBigEndian: true)
    }
    if bytes[7] & 1 != 0 { frameCount = number() }
    if bytes[7] & 2 != 0 { byteCount = Int64(number()) }
    numbers = offset + 8..<offset + Int64(next)
  }

  /// Returns the length of an ID3v2 tag at the start, whose size is stored in 4 bytes of 7 bits.
  private static func tagLength(_ file: ByteFile) -> Int64 {
    guard let header = file.bytesOnDisk(at: 0, count: 10), header.starts(with: "ID3".utf8) else {
      return 0
    }
    return 10 + header[6...].reduce(0) { $0 << 7 | Int64($1 & 0x7F) }
  }

  /// Returns how many bytes layer III has between a frame's header and its data, where the name begins: 9 to 32.
  private static func sideInformationLength(_ frame: [UInt8]) -> Int64 {
    let isVersion1 = frame[1] & 0x08 != 0
    let isMono = frame[3] & 0xC0 == 0xC0
    return isVersion1 ? (isMono ? 17 : 32) : (isMono ? 9 : 17)
  }
}

extension MPEGHeader {
  /// Shows libsndfile a file of no known length.
  func hideLength(in file: ByteFile) {
    // More than the bit rates of two frames can differ: 8 to 160 and 32 to 320 kbit/s.
    let pretended = file.sizeOnDisk * 64
    var prefix = file.bytesOnDisk(at: 0, count: Int(numbers.upperBound)) ?? []
    for index in numbers where index < prefix.count { prefix[Int(index)] = 0 }
    file.show(
      prefix: prefix, body: Int64(prefix.count)..<audio.upperBound, pretended: pretended)
  }
}
