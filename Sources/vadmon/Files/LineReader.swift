import Annotations
import SystemPackage

/// A reader that returns the lines of a file or pipe one at a time, ended by a line feed or by another byte.
///
/// It returns each line as soon as its end has been read, without waiting for more input, and keeps at most one line
/// and one block in memory. With line feeds, lines may also end with CR LF, and a byte-order mark is skipped.
final class LineReader {
  private let path: FilePath
  private let descriptor: FileDescriptor
  private var file: OpenedFile
  private let terminator: UInt8
  private var bytes: [UInt8] = []
  /// Where the next line begins in `bytes`, and the position before which its end has already been searched for.
  private var (start, searched) = (0, 0)
  private var number = 0
  private var isAtEnd = false

  /// Opens a file; `-` is standard input.
  init(_ path: FilePath, terminator: UInt8 = lineFeed) throws(RunError) {
    self.path = path
    self.terminator = terminator
    do {
      descriptor = path.isStandardStream ? .standardInput : try path.open()
    } catch {
      throw RunError(cannotRead: path, error)
    }
    file = OpenedFile(descriptor)
  }

  deinit { if !path.isStandardStream { try? descriptor.close() } }

  func next() throws(RunError) -> TextLines.Line? {
    while true {
      if let end = bytes[searched...].firstIndex(of: terminator) { return take(upTo: end) }
      searched = bytes.endIndex
      if isAtEnd { return start < bytes.endIndex ? take(upTo: bytes.endIndex) : nil }
      try readOn()
    }
  }

  private func take(upTo end: Int) -> TextLines.Line {
    number += 1
    var line = Array(bytes[start..<end])[...]
    start = min(end + 1, bytes.endIndex)
    searched = start
    // A list with another terminator is not text: every byte counts.
    guard terminator == lineFeed else { return TextLines.Line(number: number, bytes: line) }
    if number == 1 { line = line.dropFirst(byteOrderMark(of: line)) }
    return TextLines.Line(
      number: number, bytes: line.last == carriageReturn ? line.dropLast() : line)
  }

  private func readOn() throws(RunError) {
    bytes.removeSubrange(..<start)
    (start, searched) = (0, searched - start)
    guard bytes.count <= TextBounds.longestLine else {
      throw RunError(
        "\(path.nameAsInput), line \(number + 1): it is longer than \(TextBounds.longestLine >> 20) MiB; check that it is a text file",
        exitCode: ExitStatus.badData)
    }
    do {
      isAtEnd = try !file.read(onto: &bytes)
    } catch {
      throw RunError(cannotRead: path, error)
    }
  }
}
