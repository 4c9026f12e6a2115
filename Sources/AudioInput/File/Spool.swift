internal import Glibc
internal import SystemPackage

/// A copy on disk of what cannot seek, such as a pipe, for formats that have to.
enum Spool {
  /// Reads `input` to its end into a file without a name, in TMPDIR or /tmp, which goes away with the
  /// descriptor. For endless streams there is ``RawPCMSource``.
  static func copy(_ input: FileDescriptor) throws(Errno) -> FileDescriptor {
    let output = try makeFile()
    do {
      try catching { try copy(input, to: output) }
    } catch {
      try? output.close()
      throw error
    }
    return output
  }

  private static func copy(_ input: FileDescriptor, to output: FileDescriptor) throws {
    try withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { buffer in
      while case let count = try input.read(into: buffer), count > 0 {
        try output.writeAll(buffer[..<count])
      }
    }
  }

  private static func makeFile() throws(Errno) -> FileDescriptor {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var path = Array("\(folder)/vadmon-XXXXXX".utf8CString)
    let descriptor = mkstemp(&path)
    guard descriptor >= 0 else { throw Errno(rawValue: errno) }
    unlink(path)
    return FileDescriptor(rawValue: descriptor)
  }
}
