import SystemPackage

/// Why results could not be written.
enum OutputError: Error, Hashable, CustomStringConvertible {
  /// The reader of a pipe has gone away: no message, exit code 141.
  case closedPipe
  /// The name was free before the run, and is no longer.
  case taken(name: String)
  case failed(name: String, Errno)

  init(name: String, _ errno: Errno) {
    self =
      switch errno {
      case .brokenPipe: .closedPipe
      case .fileExists: .taken(name: name)
      default: .failed(name: name, errno)
      }
  }

  var description: String {
    switch self {
    case .closedPipe: "the reader of the results has gone away"
    case .taken(let name):
      "cannot write \(name): a file of that name has appeared meanwhile; rename it, or add --force"
    case .failed(let name, let errno): "cannot write \(name): \(errno)\(errno.remedyForWriting)"
    }
  }

  var exitCode: Int32 {
    switch self {
    case .closedPipe: ExitStatus.closedPipe
    case .taken, .failed: ExitStatus.inputOutput
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

extension Errno {
  /// "; " and what to do about it, where there is something.
  fileprivate var remedyForWriting: String {
    switch self {
    case .noSuchFileOrDirectory, .notDirectory:
      "; make the folder that it belongs to, or name another one"
    case .permissionDenied, .notPermitted, .readOnlyFileSystem:
      "; check your permission to write there"
    case .noSpace, .diskQuotaExceeded, .fileTooLarge: "; make room, or write it elsewhere"
    default: ""
    }
  }
}
