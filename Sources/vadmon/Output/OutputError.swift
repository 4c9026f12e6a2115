import SystemPackage

/// Why results could not be written.
enum OutputError: Error, Hashable, CustomStringConvertible {
  /// The reader of a pipe has gone away: no message, exit code 141.
  case closedPipe
  case failed(name: String, Errno)

  init(name: String, _ errno: Errno) {
    self = errno == .brokenPipe ? .closedPipe : .failed(name: name, errno)
  }

  var description: String {
    switch self {
    case .closedPipe: "the reader of the results has gone away"
    case .failed(let name, let errno): "cannot write \(name): \(errno)"
    }
  }

  var exitCode: Int32 {
    switch self {
    case .closedPipe: ExitStatus.closedPipe
    case .failed: ExitStatus.inputOutput
    }
  }
}

extension FileDescriptor {
  /// Writes all bytes, or throws.
  func write(all bytes: some Sequence<UInt8>, name: String) throws(OutputError) {
    do {
      try writeAll(bytes)
    } catch {
      throw OutputError(name: name, error as? Errno ?? .ioError)
    }
  }
}
