import Foundation

extension Pipe {
  /// A pipe that takes nothing more until it is read.
  static var full: Pipe {
    let pipe = Pipe()
    pipe.fill()
    return pipe
  }

  /// Fills the pipe with empty lines. Returns how many there are.
  @discardableResult
  func fill() -> Int {
    let descriptor = fileHandleForWriting.fileDescriptor
    let flags = fcntl(descriptor, F_GETFL)
    _ = fcntl(descriptor, F_SETFL, flags | O_NONBLOCK)
    defer { _ = fcntl(descriptor, F_SETFL, flags) }
    let lines = [UInt8](repeating: 10, count: 4096)
    var filled = 0
    for size in [lines.count, 1] {
      while case let count = write(descriptor, lines, size), count > 0 { filled += count }
    }
    return filled
  }
}
