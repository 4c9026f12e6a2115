import Glibc

/// The keys and their meanings.
enum Key: Sendable, Hashable {
  case mute, freeze, quit

  init?(_ byte: UInt8) {
    switch Character(Unicode.Scalar(byte)) {
    case "m", "M": self = .mute
    case " ": self = .freeze
    case "q", "Q": self = .quit
    default: return nil
    }
  }

  /// Reads the pressed keys from a readable standard input. Returns `nil` at its end.
  static func pressed() -> [Key]? {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(STDIN_FILENO, &bytes, bytes.count)
    guard count > 0 else { return count < 0 && (errno == EINTR || errno == EAGAIN) ? [] : nil }
    return keys(in: bytes[..<count])
  }

  /// Returns the keys in the bytes. Escape sequences, such as those of arrow keys, are ignored (ECMA-48: ESC [ … and a
  /// final byte from @ on; xterm: ESC O and one byte).
  static func keys(in bytes: ArraySlice<UInt8>) -> [Key] {
    var keys: [Key] = []
    var rest = bytes
    while let byte = rest.popFirst() {
      guard byte == 0x1B, let kind = rest.first else {
        if let key = Key(byte) { keys.append(key) }
        continue
      }
      guard kind == UInt8(ascii: "[") || kind == UInt8(ascii: "O") else { continue }
      rest = rest.dropFirst()
      if kind == UInt8(ascii: "[") { rest = rest.drop { $0 < 0x40 } }
      rest = rest.dropFirst()
    }
    return keys
  }
}
