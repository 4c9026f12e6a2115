package import SystemPackage

extension Errno {
  /// What helps where the limit on open files is reached; `nil` for other errors.
  package var remedyForLimit: String? {
    switch self {
    case .tooManyOpenFiles: "raise the limit on open files (ulimit -n)"
    case .tooManyOpenFilesInSystem: "end other programs, or raise the system's limit (fs.file-max)"
    default: nil
    }
  }

  /// What helps where no thread or process can be started; `nil` for other errors.
  package var remedyForStarting: String? {
    self == .resourceTemporarilyUnavailable
      ? "raise the limit on processes (ulimit -u)" : remedyForLimit
  }
}
