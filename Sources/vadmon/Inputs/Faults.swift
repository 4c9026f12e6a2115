/// What is wrong with a line, and what to do about it.
struct LineFault: Error, Hashable {
  let message: String
  init(_ message: String) { self.message = message }
}

/// The bad lines of one file. A file of the wrong kind has nothing else, so that only the first are kept.
struct LineFaults {
  private var messages: [String] = []
  private var count = 0

  private static let limit = 10

  mutating func add(_ fault: LineFault, line: Int) {
    count += 1
    if count <= Self.limit { messages.append("line \(line): \(fault.message)") }
  }

  /// Throws if there are any.
  func check(_ file: String) throws(RunError) {
    guard count > 0 else { return }
    var sentences = messages.map { "\(file), \($0)" }
    if count > Self.limit { sentences.append("\(file) has \(count - Self.limit) more bad lines") }
    throw RunError(sentences, exitCode: ExitStatus.badData)
  }
}

/// Why a command could not do what it was asked: a sentence for each reason.
struct RunError: Error, Hashable {
  var messages: [String]
  var exitCode: Int32

  init(_ messages: [String], exitCode: Int32) {
    self.messages = messages
    self.exitCode = exitCode
  }

  init(_ message: String, exitCode: Int32) { self.init([message], exitCode: exitCode) }
}
