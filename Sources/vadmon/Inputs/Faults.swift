/// What is wrong with a line, and what to do about it.
struct LineFault: Error, Hashable {
  let message: String
  init(_ message: String) { self.message = message }
}

/// The bad lines of one file. A file of the wrong kind has nothing else, so that only the first are told.
struct LineFaults {
  /// Of those that are told and that nobody has taken yet.
  private var messages: [String] = []
  private var count = 0

  private static let limit = 10

  var isEmpty: Bool { count == 0 }

  mutating func add(_ fault: LineFault, line: Int) {
    count += 1
    if count <= Self.limit { messages.append("line \(line): \(fault.message)") }
  }

  /// A sentence for each that is new, for those who tell them as they come.
  mutating func take(_ file: String) -> [String] {
    defer { messages = [] }
    return messages.map { "\(file), \($0)" }
  }

  /// Throws if there are any, with the sentences that were not taken.
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
