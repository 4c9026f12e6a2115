import Foundation
import SystemPackage

/// A pipe. A test passes the reading end to a source and feeds the pipe from a separate thread.
///
/// `@unchecked Sendable` is safe because both descriptors are constants.
final class TestPipe: @unchecked Sendable {
  let reading: FileDescriptor
  let writing: FileDescriptor

  init() throws { (reading, writing) = try FileDescriptor.pipe() }

  deinit { try? reading.close() }

  /// Writes the pieces in order, waiting while the pipe is full, and closes the writing end.
  func feed(_ pieces: [[UInt8]]) {
    Thread.detachNewThread { [self] in
      for piece in pieces { _ = try? writing.writeAll(piece) }
      try? writing.close()
    }
  }
}
