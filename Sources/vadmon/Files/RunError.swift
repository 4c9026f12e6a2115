import Annotations

/// Why a command failed, with one sentence for each reason.
struct RunError: Error, Hashable {
  var messages: [String]
  var exitCode: Int32

  init(_ messages: [String], exitCode: Int32) {
    self.messages = messages
    self.exitCode = exitCode
  }

  init(_ message: String, exitCode: Int32) { self.init([message], exitCode: exitCode) }
}

extension LineFaults {
  /// Throws the sentences if there were any faults.
  func check(_ file: String) throws(RunError) {
    if !isEmpty { throw RunError(sentences(file), exitCode: ExitStatus.badData) }
  }
}
