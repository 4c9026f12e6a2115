import Foundation
import SystemPackage

/// A pipe whose reading end a test hands to a source, and which it feeds from a thread of its own.
final class TestPipe: @unchecked Sendable {
  let reading: FileDescriptor
  let writing: FileDescriptor

  init() throws { (reading, writing) = try FileDescriptor.pipe() }

  deinit { try? reading.close() }

  /// Writes pieces one after the other, waiting where the pipe is full, and closes the writing end.
  func feed(_ pieces: [[UInt8]]) {
    Thread.detachNewThread { [self] in
      for piece in pieces { _ = try? writing.writeAll(piece) }
      try? writing.close()
    }
  }
}
