import SystemPackage

// Files that are read as a whole.

extension FilePath {
  /// What is in the file, or a sentence that says why that cannot be known.
  func contents() throws(RunError) -> [UInt8] {
    do {
      return try readAll()
    } catch {
      let isMissing = error == .noSuchFileOrDirectory
      throw RunError(
        "cannot read \(FileNames.printable(self)): \(error); check "
          + (isMissing ? "its name" : "that it is a file that you may read"),
        exitCode: isMissing ? ExitStatus.noInput : ExitStatus.inputOutput)
    }
  }

  func readAll() throws(Errno) -> [UInt8] {
    let descriptor: FileDescriptor
    do {
      descriptor = try FileDescriptor.open(self, .readOnly)
    } catch {
      throw error as? Errno ?? .ioError
    }
    defer { try? descriptor.close() }
    return try descriptor.readAll()
  }
}

extension FileDescriptor {
  /// Everything up to the end.
  func readAll() throws(Errno) -> [UInt8] {
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 16)
    do {
      while true {
        let count = try block.withUnsafeMutableBytes { try read(into: $0) }
        if count == 0 { return bytes }
        bytes += block.prefix(count)
      }
    } catch {
      throw error as? Errno ?? .ioError
    }
  }
}
