import CArguments
import Glibc
import SystemPackage

/// Command-line arguments as Swift strings, without losing bytes that are not UTF-8.
///
/// A file name on Linux is any bytes; `CommandLine.arguments` repairs those that are no UTF-8, and the
/// file is not found. Here such a byte B becomes the private-use scalar U+10FF00 + B (the idea of Python's
/// PEP 383, whose lone surrogates Swift strings cannot hold). Bytes of real scalars from that range are
/// treated the same way, so that ``bytes(of:)`` gives back exactly what was there.
enum ArgumentBytes {
  private static let base: UInt32 = 0x10FF00
  private static let range = base...(base + 0xFF)

  /// All arguments but the program's name.
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

  /// Bytes that a UTF-8 sequence with this first byte has.
  private static func scalarLength(_ first: UInt8) -> Int {
    switch first {
    case 0xF0...: 4
    case 0xE0...: 3
    case 0xC0...: 2
    default: 1
    }
  }
}
