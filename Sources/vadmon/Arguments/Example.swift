/// A command line to copy, and what it does: the last part of a command's help, and a section of its manual page.
struct Example: Sendable {
  let line: String
  let meaning: String

  init(_ line: String, _ meaning: String) { (self.line, self.meaning) = (line, meaning) }
}

extension [Example] {
  /// The end of a command's discussion, where Scripts/make-manual.swift finds the examples by their heading.
  var help: String {
    "\n\nExamples:\n" + map { "  # \($0.meaning)\n  \($0.line)" }.joined(separator: "\n")
  }
}
