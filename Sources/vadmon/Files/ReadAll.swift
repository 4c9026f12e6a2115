import RealTime
import SystemPackage

// Reading files to the end.

extension FilePath {
  /// Returns the contents of the file, or throws an error whose message states why it cannot be read. It stops reading
  /// after `limit` bytes, and returns more than that of a longer file.
  func contents(atMost limit: Int = .max) throws(RunError) -> [UInt8] {
    do {
      return try readAll(atMost: limit)
    } catch {
      throw RunError(cannotRead: self, error)
    }
  }

  func readAll(atMost limit: Int = .max) throws(Errno) -> [UInt8] {
    let descriptor = try open()
    defer { try? descriptor.close() }
    return try descriptor.readAll(atMost: limit)
  }

  /// Opens the file for reading.
  func open() throws(Errno) -> FileDescriptor {
    do {
      return try FileDescriptor.open(self, .readOnly)
    } catch {
      throw error as? Errno ?? .ioError
    }
  }
}

extension RunError {
  init(cannotRead path: FilePath, _ errno: Errno) {
    let reason =
      switch errno {
      case .isDirectory: "it is a folder; name a file in it"
      case .noSuchFileOrDirectory: "\(errno); check its name"
      default:
        "\(errno); "
          + (errno.remedyForLimit
            ?? "check that it is \(path.isStandardStream ? "open" : "a file that you may read")")
      }
    self.init(
      "cannot read \(path.nameAsInput): \(reason)",
      exitCode: errno == .noSuchFileOrDirectory ? ExitStatus.noInput : ExitStatus.inputOutput)
  }
}

extension FileDescriptor {
  /// Reads everything up to the end, or until there are more than `limit` bytes.
  func readAll(atMost limit: Int = .max) throws(Errno) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count <= limit, try readBlock(onto: &bytes) {}
    return bytes
  }

  /// Appends the bytes that are available, waiting for some if necessary. Returns `false` at the end.
  func readBlock(onto bytes: inout [UInt8]) throws(Errno) -> Bool {
    do {
      let block = try [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
        count = try read(into: UnsafeMutableRawBufferPointer(buffer))
      }
      bytes += block
      return !block.isEmpty
    } catch {
      throw error as? Errno ?? .ioError
    }
  }
}
