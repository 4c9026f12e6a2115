import Foundation
import TestSupport

/// Another program, as an independent reference.
enum Tool {
  struct Failed: Error { let command: String }

  /// Runs a shell command in `folder`.
  static func run(_ command: String, in folder: TemporaryFolder) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = ["-o", "pipefail", "-c", command]
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    process.standardInput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    try process.waitForEnd()
    guard process.terminationStatus == 0 else { throw Failed(command: command) }
  }
}
