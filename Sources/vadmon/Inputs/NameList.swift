import SystemPackage

/// A list of file names, one a line; blank lines count for nothing.
enum NameList {
  static func read(_ path: FilePath) throws(Errno) -> [FilePath] {
    try names(in: path.isStandardStream ? readAll(.standardInput) : readFile(path))
  }

  /// Lines end with LF or CR LF; anything else belongs to a name.
  static func names(in bytes: [UInt8]) -> [FilePath] {
    bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
      let name = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      let isBlank = name.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
      return isBlank || name.contains(0) ? nil : FilePath(bytes: name)
    }
  }

  private static func readFile(_ path: FilePath) throws(Errno) -> [UInt8] {
    let descriptor: FileDescriptor
    do {
      descriptor = try FileDescriptor.open(path, .readOnly)
    } catch {
      throw error as? Errno ?? .ioError
    }
    defer { try? descriptor.close() }
    return try readAll(descriptor)
  }

  private static func readAll(_ descriptor: FileDescriptor) throws(Errno) -> [UInt8] {
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 16)
    do {
      while true {
        let count = try block.withUnsafeMutableBytes { try descriptor.read(into: $0) }
        if count == 0 { return bytes }
        bytes += block.prefix(count)
      }
    } catch {
      throw error as? Errno ?? .ioError
    }
  }
}
