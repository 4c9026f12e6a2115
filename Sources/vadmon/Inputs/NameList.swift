import AudioInput
import SystemPackage

/// A list of file names, read one after the other: each is there as soon as it has been written, however long the
/// others take.
///
/// Every name gives one input, and so one answer; an empty one as well, for whoever wrote it may wait.
struct NameList {
  /// What a name ends with.
  enum Separator: Sendable {
    /// LF or CR LF: everything else belongs to a name.
    case line
    /// NUL, as `find -print0` writes it: the only byte that no name has.
    case null
  }

  private let path: FilePath
  private let mayBeEmpty: Bool
  private let reader: LineReader
  private var count = 0

  /// `-` is standard input.
  init(_ path: FilePath, separator: Separator, mayBeEmpty: Bool = false) throws(RunError) {
    self.path = path
    self.mayBeEmpty = mayBeEmpty
    reader = try LineReader(path, terminator: separator == .line ? lineFeed : 0)
  }

  /// Waits until there is one; `nil` at the end.
  mutating func next() throws(RunError) -> Input? {
    guard let line = try reader.next() else {
      if count == 0 && !mayBeEmpty { throw empty }
      return nil
    }
    count += 1
    if line.bytes.isEmpty { return unusable(line, "it is empty: put a file's name there") }
    if line.bytes.contains(0) {
      return unusable(
        line, "it has a NUL byte, which no name has; if NUL ends the names, add --null")
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

  private func unusable(_ line: TextLines.Line, _ fault: String) -> Input {
    let name = String(decoding: line.bytes, as: UTF8.self)
    let message = "\(path.nameAsInput), name \(line.number): \(fault)"
    return .unusable(ErrorRecord(file: name, message: message, exitCode: ExitStatus.noInput))
  }
}
