import Annotations
import Glibc
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
      percentEncoded(
        UnsafeBufferPointer(start: name, count: strlen(name)).map(UInt8.init(bitPattern:)))
    }
  }
}
