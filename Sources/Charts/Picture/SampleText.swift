/// Numbers as text for the page of a report.
enum SampleText {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// Returns bytes in base64 (RFC 4648).
  static func base64(_ bytes: some Collection<UInt8>) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    var (bits, width) = (UInt32(0), 0)
    for byte in bytes {
      (bits, width) = (bits << 8 | UInt32(byte), width + 8)
      while width >= 6 {
        width -= 6
        text.append(alphabet[Int(bits >> width & 63)])
      }
    }
    if width > 0 { text.append(alphabet[Int(bits << (6 - width) & 63)]) }
    while text.count % 4 != 0 { text.append(UInt8(ascii: "=")) }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns 16-bit numbers in base64, little endian.
  static func base64(_ numbers: [UInt16]) -> String {
    base64(numbers.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] })
  }

  /// Returns one character of base64's alphabet for each value, 0 … 63.
  static func characters(_ values: [UInt8]) -> String {
    String(decoding: values.map { alphabet[Int($0)] }, as: UTF8.self)
  }

  /// Returns values that stay the same for long, 0 … 63, as runs of at most 64: for each, its value and its length less
  /// one.
  static func runs(_ values: [UInt8]) -> String {
    var runs: [UInt8] = []
    for value in values {
      if runs.count > 1, runs[runs.count - 2] == value, runs[runs.count - 1] < 63 {
        runs[runs.count - 1] += 1
      } else {
        runs += [value, 0]
      }
    }
    return characters(runs)
  }
}
