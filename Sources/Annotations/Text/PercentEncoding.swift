private let plain = Set(
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/".utf8)

/// Returns bytes of a path as a part of a URL: all but letters, digits and `-._~/` (RFC 3986 §2) percent-encoded.
package func percentEncoded(_ bytes: some Sequence<UInt8>) -> String {
  return bytes.map { byte in
    plain.contains(byte)
      ? String(Unicode.Scalar(byte))
      : (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
  }.joined()
}
