internal import CLinux
internal import Glibc
internal import RealTime
package import SystemPackage

/// Temporary copies on disk of inputs that cannot seek, such as pipes, for formats that require seeking.
package enum Spool {
  /// The largest copy, 2 GiB or 36 hours of MP3 at 128 kbit/s. It is bounded because a folder for temporary files may
  /// be in memory.
  static let limit: Int64 = 1 << 31

  /// The folder of the copies. An empty variable counts as none: otherwise it would name the root.
  package static var folder: String {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? ""
    return folder.isEmpty ? "/tmp" : folder
  }

  /// Copies `input` to its end into a file without a name, which disappears when the descriptor is closed.
  static func copy(
    _ input: ByteStream, limit: Int64 = Spool.limit
  ) throws(AudioInputError) -> FileDescriptor {
    var output: FileDescriptor?
    do throws(Errno) {
      let file = try makeFile()
      output = file
      var rest = limit
      while case let bytes = input.read(1 << 16), !bytes.isEmpty {
        rest -= Int64(bytes.count)
        guard rest >= 0 else { throw .overflow }
        try catching { _ = try file.writeAll(bytes) }
      }
      if input.failure == nil {
        try catching { _ = try file.seek(offset: 0, from: .start) }
        return file
      }
    } catch {
      try? output?.close()
      throw .cannotSpool(name: input.name, folder: folder, error)
    }
    try? output?.close()
    throw .readFailed(name: input.name, input.failure ?? .ioError)
  }

  /// What helps where a file cannot be made or written there.
  package static func remedy(_ errno: Errno) -> String {
    switch errno {
    case .noSuchFileOrDirectory, .notDirectory: "set TMPDIR to a folder that exists"
    case .permissionDenied, .readOnlyFileSystem: "set TMPDIR to a folder that you may write to"
    case .fileTooLarge: "raise the limit for files (ulimit -f)"
    default: errno.remedyForLimit ?? "set TMPDIR to a folder with more room"
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
