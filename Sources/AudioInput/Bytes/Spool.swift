internal import CLinux
internal import Glibc
package import SystemPackage

/// Temporary copies on disk of inputs that cannot seek, such as pipes, for formats that require seeking.
package enum Spool {
  /// The largest copy, 2 GiB or 36 hours of MP3 at 128 kbit/s. It is bounded because a folder for temporary files may
  /// be in memory.
  static let limit: Int64 = 1 << 31

  /// The folder of the copies.
  package static var folder: String { getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp" }

  /// Copies `input` to its end into a file without a name, which disappears when the descriptor is closed.
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

  /// Creates a file and unlinks it at once, so that it disappears however the process ends.
  package static func makeFile() throws(Errno) -> FileDescriptor {
    var path = Array("\(folder)/vadmon-XXXXXX".utf8CString)
    let descriptor = mkostemp(&path, O_CLOEXEC)
    guard descriptor >= 0 else { throw Errno(rawValue: errno) }
    unlink(path)
    return FileDescriptor(rawValue: descriptor)
  }
}
