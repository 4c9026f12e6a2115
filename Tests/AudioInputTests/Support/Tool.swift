import TestSupport

/// Another program, as an independent reference.
enum Tool {
  /// Runs a shell command in `folder`.
  static func run(_ command: String, in folder: TemporaryFolder) throws {
    let result = try TestSupport.run(["bash", "-o", "pipefail", "-c", command], in: folder)
    guard result.status == 0 else { throw CommandFailure(result) }
  }
}
