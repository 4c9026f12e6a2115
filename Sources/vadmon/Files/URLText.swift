/// URLs that users give where files are expected.
enum URLText {
  /// What to do instead of giving a URL.
  static let remedy = "download it first, and name the file"

  /// Returns whether the text is a scheme (RFC 3986 §3.1), followed by `://` and at least one more byte.
  static func isURL(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: ":"), maxSplits: 1)
    guard parts.count == 2, let first = parts[0].first, isLetter(first) else { return false }
    return parts[0].allSatisfy(isSchemeByte) && parts[1].starts(with: "//".utf8)
      && parts[1].count > 2
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
  }

  private static func isSchemeByte(_ byte: UInt8) -> Bool {
    isLetter(byte) || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "+-.".utf8.contains(byte)
  }
}
