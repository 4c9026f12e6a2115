package import SystemPackage

/// Rethrows errors of swift-system as `Errno`, the only type it throws, although its signatures do not say so.
package func catching<Result>(_ body: () throws -> Result) throws(Errno) -> Result {
  do { return try body() } catch { throw error as? Errno ?? .ioError }
}

extension Errno {
  /// What helps where the limit on open files or on memory is reached; `nil` for other errors.
  package var remedyForLimit: String? {
    switch self {
    case .tooManyOpenFiles: "raise the limit on open files (ulimit -n)"
    case .tooManyOpenFilesInSystem: "end other programs, or raise the system's limit (fs.file-max)"
    case .noMemory: "raise the limit on memory (ulimit -v), or end other programs"
    default: nil
    }
  }

  /// What helps where no thread or process can be started; `nil` for other errors. A thread that finds no memory for
  /// its stack fails as one too many does (pthread_create(3)).
  package var remedyForStarting: String? {
    self == .resourceTemporarilyUnavailable
      ? "raise the limit on processes (ulimit -u) or memory (ulimit -v)" : remedyForLimit
  }
}
