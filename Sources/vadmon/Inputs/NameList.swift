import SystemPackage

/// A list of file names, one a line; blank lines count for nothing.
enum NameList {
  static func read(_ path: FilePath) throws(Errno) -> [FilePath] {
    try names(in: path.isStandardStream ? FileDescriptor.standardInput.readAll() : path.readAll())
  }

  /// Lines end with LF or CR LF; anything else belongs to a name.
  static func names(in bytes: [UInt8]) -> [FilePath] {
    bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
      let name = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      let isBlank = name.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
      return isBlank || name.contains(0) ? nil : FilePath(bytes: name)
    }
  }
}
