import Annotations
import RealTime
import SystemPackage

/// Why a command failed, with one sentence for each reason. Without another exit code, what the user has asked for
/// cannot be done: flags are inconsistent, or a value is not allowed.
struct RunError: Error, Hashable {
  var messages: [String]
  var exitCode: Int32

  init(_ messages: [String], exitCode: Int32) {
    self.messages = messages
    self.exitCode = exitCode
  }

  init(_ message: String, exitCode: Int32 = ExitStatus.usage) {
    self.init([message], exitCode: exitCode)
  }

  init(_ record: ErrorRecord) { self.init(record.message, exitCode: record.exitCode) }

  /// The system does not start a thread, or lacks what that needs.
  ///
  /// - Parameter purpose: What follows "a thread", such as "for --exec".
  init(noThread purpose: String, _ errno: Errno = .resourceTemporarilyUnavailable) {
    let remedy = errno.remedyForStarting ?? "end other programs"
    self.init(
      "cannot start a thread \(purpose): \(errno); \(remedy)", exitCode: ExitStatus.unavailable)
  }
}

extension LineFaults {
  /// Throws the sentences if there were any faults.
  func check(_ file: String) throws(RunError) {
    if !isEmpty { throw RunError(sentences(file), exitCode: ExitStatus.badData) }
  }
}
