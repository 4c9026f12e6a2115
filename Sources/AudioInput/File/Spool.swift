internal import CLinux
internal import Glibc
internal import SystemPackage

/// A copy on disk of what cannot seek, such as a pipe, for formats that have to.
enum Spool {
  /// 2 GiB, 36 hours of MP3 at 128 kbit/s: a folder for temporary files may be memory.
  static let limit: Int64 = 1 << 31

  /// Where the copies are.
  static var folder: String { getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp" }

  /// Reads `input` to its end into a file without a name, which goes away with the descriptor.
  static func copy(
    _ input: ByteStream, limit: Int64 = Spool.limit
  ) throws(AudioInputError) -> FileDescriptor {
    let output: FileDescriptor
    do {
      output = try makeFile()
    } catch {
      throw .cannotSpool(name: input.name, folder: folder, error)
    }
    do {
      try copy(input, to: output, limit)
    } catch {
      try? output.close()
      throw error
    }
    return output
  }

  private static func copy(
    _ input: ByteStream, to output: FileDescriptor, _ limit: Int64
  ) throws(AudioInputError) {
    var rest = limit
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count: Int
      do {
        count = try catching { try buffer.withUnsafeMutableBytes { try input.read(into: $0) } }
      } catch {
        throw .readFailed(name: input.name, error)
      }
      if count == 0 { return }
      rest -= Int64(count)
      guard rest >= 0 else { throw .cannotSpool(name: input.name, folder: folder, .fileTooLarge) }
      do {
        try catching { _ = try output.writeAll(buffer[..<count]) }
      } catch {
        throw .cannotSpool(name: input.name, folder: folder, error)
      }
    }
  }

  /// Unlinked at once, so that it goes away however the process ends.
  private static func makeFile() throws(Errno) -> FileDescriptor {
    var path = Array("\(folder)/vadmon-XXXXXX".utf8CString)
    let descriptor = mkostemp(&path, O_CLOEXEC)
    guard descriptor >= 0 else { throw Errno(rawValue: errno) }
    unlink(path)
    return FileDescriptor(rawValue: descriptor)
  }
}
