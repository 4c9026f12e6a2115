import CArguments
import Glibc
import SystemPackage

/// Command-line arguments as Swift strings that preserve bytes that are not UTF-8.
///
/// A file name on Linux is an arbitrary sequence of bytes. `CommandLine.arguments` repairs bytes that are not valid
/// UTF-8, and then the file is not found. Here such a byte B becomes the private-use scalar U+10FF00 + B (the idea of
/// Python's PEP 383, whose lone surrogates Swift strings cannot hold). The bytes of real scalars from that range are
/// treated in the same way, so that ``bytes(of:)`` returns the original bytes.
enum ArgumentBytes {
  private static let base: UInt32 = 0x10FF00
  private static let range = base...(base + 0xFF)

  /// Returns all arguments without the program's name. They are copied from pointers that are valid as long as the
  /// process.
  static func commandLine() -> [String] {
    sequence(state: Int32(1)) { index in
      defer { index += 1 }
      return process_argument(index)
    }.map { string(from: UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
  }

  static func string(from bytes: some Collection<UInt8>) -> String {
    var text = String.UnicodeScalarView()
    var rest = bytes[...]
    while let first = rest.first {
      let length = scalarLength(first)
      let head = rest.prefix(length)
      if let scalar = String(validating: head, as: UTF8.self)?.unicodeScalars.first,
        !range.contains(scalar.value)
      {
        text.append(scalar)
        rest = rest.dropFirst(length)
      } else {
        text.append(Unicode.Scalar(base + UInt32(first))!)
        rest = rest.dropFirst()
      }
    }
    return String(text)
  }

  static func bytes(of text: String) -> [UInt8] {
    text.unicodeScalars.flatMap { scalar in
      range.contains(scalar.value)
        ? [UInt8(scalar.value - base)] : Array(String(Character(scalar)).utf8)
    }
  }

  /// Returns the number of bytes in a UTF-8 sequence with this first byte.
  private static func scalarLength(_ first: UInt8) -> Int {
    switch first {
    case 0xF0...: 4
    case 0xE0...: 3
    case 0xC0...: 2
    default: 1
    }
  }
}
