/// FLAC.
///
/// Source: RFC 9639.
extension AudioFormat {
  /// Anywhere, the first block of metadata must be the one of 34 bytes.
  static let flac = AudioFormat(
    name: "FLAC", endings: ["flac"], heads: ["fLaC"],
    certainHeads: ["fLaC\0\0\0\u{22}", "fLaC\u{80}\0\0\u{22}"], decoder: .libFLAC,
    demuxers: ["flac"])
}

/// The header of a frame of FLAC.
struct FLACFrame {
  /// The number of the frame or, if lengths vary, of its first sample.
  private let number: UInt64
  /// Whether lengths vary, the code of the rate, that of the bits, and the number of channels.
  private let shared: [UInt8]

  /// Returns `nil` unless one begins here: the sync code, no reserved value, and a checksum of 8 bits.
  init?(_ bytes: some Collection<UInt8>) {
    let bytes = Array(bytes.prefix(16))
    guard bytes.count == 16, bytes[0] == 0xFF, bytes[1] & 0xFE == 0xF8, bytes[2] >> 4 != 0,
      bytes[2] & 15 != 15, bytes[3] >> 4 <= 10, bytes[3] & 0x0F != 6, bytes[3] & 1 == 0
    else { return nil }
    // The number is coded as a character of UTF-8 with up to 7 bytes. The length and the rate may follow.
    let numberLength = max(1, (~bytes[4]).leadingZeroBitCount)
    let length =
      4 + numberLength + ([6: 1, 7: 2][bytes[2] >> 4] ?? 0)
      + ([12: 1, 13: 2, 14: 2][bytes[2] & 15] ?? 0)
    guard length < 16, Self.checksum(bytes[..<length]) == bytes[length] else { return nil }
    number = bytes[5..<4 + numberLength].reduce(UInt64(bytes[4]) & 0x7F >> UInt64(numberLength - 1))
    {
      $0 << 6 | UInt64($1) & 0x3F
    }
    // The codes 8 to 10 are two channels, of which one may be a difference.
    let channels = bytes[3] >> 4
    shared = [bytes[1], bytes[2] & 15, bytes[3] & 14, channels < 8 ? channels : 1]
  }

  /// CRC-8 with the polynomial x^8 + x^2 + x + 1.
  private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt8 {
    bytes.reduce(0) { sum, byte in
      (0..<8).reduce(sum ^ byte) { sum, _ in sum << 1 ^ (sum & 0x80 != 0 ? 7 : 0) }
    }
  }

  /// Returns whether this frame may be the next one of a stream behind another.
  private func follows(_ other: FLACFrame) -> Bool {
    shared == other.shared
      && (shared[0] & 1 == 1 ? number > other.number : number == other.number + 1)
  }

  /// Searches for three frames in a row. Loud PCM of 24 bits is full of single ones.
  static func search(_ bytes: [UInt8]) -> Int? {
    let found = bytes.indices.filter { bytes[$0] == 0xFF }
      .compactMap { place in FLACFrame(bytes[place...]).map { (place: place, frame: $0) } }
    return found.indices.dropLast(2).first { index in
      found[index + 1].frame.follows(found[index].frame)
        && found[index + 2].frame.follows(found[index + 1].frame)
    }.map { found[$0].place }
  }
}
