import Annotations
import AudioInput
import SystemPackage

/// A list of file names, read one at a time. Each name is available as soon as it has been written, however long the
/// others take.
///
/// Every name gives one input and therefore one result. This includes an empty name, because its writer may wait for a
/// result.
struct NameList {
  /// The terminator of each name.
  enum Separator: Sendable {
    /// LF or CR LF. All other bytes belong to the name.
    case line
    /// NUL, as `find -print0` writes it: the only byte that cannot be part of a name.
    case null
  }

  private let path: FilePath
  private let mayBeEmpty: Bool
  private let reader: LineReader
  private var count = 0

  /// Opens a list; `-` is standard input.
  init(_ path: FilePath, separator: Separator, mayBeEmpty: Bool = false) throws(RunError) {
    self.path = path
    self.mayBeEmpty = mayBeEmpty
    reader = try LineReader(path, terminator: separator == .line ? lineFeed : 0)
  }

  /// Returns the next input, waiting for its name if necessary, or `nil` at the end.
  mutating func next() throws(RunError) -> Input? {
    guard let line = try reader.next() else {
      if count == 0 && !mayBeEmpty { throw empty }
      return nil
    }
    count += 1
    if line.bytes.isEmpty { return unusable(line, "it is empty: put a file's name there") }
    if line.bytes.contains(0) {
      let fault = "it has a NUL byte, which no name has; if NUL ends the names, add --null"
      // A writer on standard input waits for a result of each name. A file with such a line is not a list.
      if path.isStandardStream { return unusable(line, fault) }
      throw RunError(
        "\(name(line)): \(fault); if it is a recording, name it without --files-from",
        exitCode: ExitStatus.noInput)
    }
    let path = FilePath(bytes: line.bytes)
    let text = String(decoding: line.bytes, as: UTF8.self)
    if URLText.isURL(text), path.type == nil {
      return unusable(line, "\(text) is a URL: \(URLText.remedy)")
    }
    return .listed(path)
  }

  private var empty: RunError {
    RunError(
      "\(path.nameAsInput) names no file: put one name on each line", exitCode: ExitStatus.noInput)
  }

  private func name(_ line: TextLines.Line) -> String {
    "\(path.nameAsInput), name \(line.number)"
  }

  private func unusable(_ line: TextLines.Line, _ fault: String) -> Input {
    let text = String(decoding: line.bytes, as: UTF8.self)
    return .unusable(
      ErrorRecord(
        file: text, message: "\(name(line)): \(fault)", exitCode: ExitStatus.noInput))
  }
}
