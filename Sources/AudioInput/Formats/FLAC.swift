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
enum FLACFrame {
  /// Returns whether one begins here: the sync code, no reserved value, and a checksum of 8 bits.
  static func begins(_ bytes: some Collection<UInt8>) -> Bool {
    let bytes = Array(bytes.prefix(16))
    guard bytes.count == 16, bytes[0] == 0xFF, bytes[1] & 0xFE == 0xF8, bytes[2] >> 4 != 0,
      bytes[2] & 15 != 15, bytes[3] >> 4 <= 10, bytes[3] & 0x0F != 6, bytes[3] & 1 == 0
    else { return false }
    // The number of the frame is coded as a character of UTF-8. The length and the rate may follow.
    let numberLength = max(1, (~bytes[4]).leadingZeroBitCount)
    let length =
      4 + numberLength + ([6: 1, 7: 2][bytes[2] >> 4] ?? 0)
      + ([12: 1, 13: 2, 14: 2][bytes[2] & 15] ?? 0)
    return length < 16 && checksum(bytes[..<length]) == bytes[length]
  }

  /// CRC-8 with the polynomial x^8 + x^2 + x + 1.
  private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt8 {
    bytes.reduce(0) { sum, byte in
      (0..<8).reduce(sum ^ byte) { sum, _ in sum << 1 ^ (sum & 0x80 != 0 ? 7 : 0) }
    }
  }

  /// Searches for a frame that another one of the same kind with another number follows.
  static func search(_ bytes: [UInt8]) -> Int? {
    let places = bytes.indices.filter { bytes[$0] == 0xFF && begins(bytes[$0...]) }
    return zip(places, places.dropFirst()).first { one, next in
      bytes[one + 1] == bytes[next + 1] && bytes[one + 3] == bytes[next + 3]
        && bytes[one + 4..<one + 11] != bytes[next + 4..<next + 11]
    }?.0
  }
}
