import SystemPackage

/// Addresses of files, as a page beside them writes them.
enum PageAddress {
  /// Returns the address of a file, relative to the folder of a page and percent-encoded byte for byte, or `nil` for
  /// standard input.
  static func of(_ file: FilePath, from page: FilePath) -> String? {
    guard !file.isStandardStream else { return nil }
    let (target, folder) = (file.absolute, page.absolute.removingLastComponent())
    guard let common = FilePath.commonFolder(of: [target.removingLastComponent(), folder]) else {
      return nil
    }
    var steps = folder
    _ = steps.removePrefix(common)
    var rest = target
    _ = rest.removePrefix(common)
    let ups = steps.components.map { _ in ".." }
    // A first step of its own, so that a colon in a name does not make it a scheme.
    return (["."] + ups + rest.components.map(encoded)).joined(separator: "/")
  }

  private static func encoded(_ component: FilePath.Component) -> String {
    component.withPlatformString { name in
      var (text, next) = ("", name)
      while next.pointee != 0 {
        let byte = UInt8(bitPattern: next.pointee)
        let scalar = Unicode.Scalar(byte)
        if isUnreserved(byte) {
          text.unicodeScalars.append(scalar)
        } else {
          text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }
        next += 1
      }
      return text
    }
  }

  /// RFC 3986 §2.3.
  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "-._~".utf8.contains(byte)
    }
  }
}
