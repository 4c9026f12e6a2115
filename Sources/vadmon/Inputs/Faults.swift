/// What is wrong with a line, and how to correct it.
struct LineFault: Error, Hashable {
  let message: String
  init(_ message: String) { self.message = message }
}

/// The faulty lines of one file. In a file of the wrong kind every line is faulty, so only the first ten are reported.
struct LineFaults {
  /// The reported faults that `take(_:)` has not returned yet.
  private var messages: [String] = []
  private var count = 0

  private static let limit = 10

  var isEmpty: Bool { count == 0 }

  mutating func add(_ fault: LineFault, line: Int) {
    count += 1
    if count <= Self.limit { messages.append("line \(line): \(fault.message)") }
  }

  /// Returns one sentence for each fault since the last call, for callers that report faults as they occur.
  mutating func take(_ file: String) -> [String] {
    defer { messages = [] }
    return messages.map { "\(file), \($0)" }
  }

  /// Throws if there were any faults. The error holds the sentences that `take(_:)` has not returned.
  func check(_ file: String) throws(RunError) {
    guard count > 0 else { return }
    var sentences = messages.map { "\(file), \($0)" }
    if count > Self.limit { sentences.append("\(file) has \(count - Self.limit) more bad lines") }
    throw RunError(sentences, exitCode: ExitStatus.badData)
  }
}

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
