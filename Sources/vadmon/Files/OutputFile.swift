import Annotations
import Glibc
import RealTime
import SystemPackage

/// A file that appears under its name only when it is complete.
///
/// Data is written to a hidden file in the same folder, which ``commit()`` renames. If the disk is full or the run ends
/// early, the old file remains. The new one has its permissions and its owner, if the user may set them. Devices, pipes
/// and open descriptors, such as /dev/stdout or `-`, cannot be replaced and are written to directly.
final class OutputFile {
  /// What happens to an existing file of the same name.
  enum Existing: Sendable {
    /// The complete file replaces it. This is for names that the user chose.
    case replaced
    /// It is kept, even if another process creates it during the run. This is for names that vadmon derived.
    case kept
  }

  /// The name for messages.
  private(set) var name: String
  private var target: FilePath
  private let existing: Existing
  private let input: Input?
  private let descriptor: FileDescriptor
  private var isOpen = true
  /// The hidden file, until it has been renamed or removed.
  private var temporary: FilePath?

  /// Creates a file, or opens a device or pipe.
  ///
  /// - Parameters:
  ///   - interruption: What ends the wait for the reader of a pipe.
  ///   - input: The input that the file goes with if it is not finished (``TemporaryFiles/finish(_:isComplete:)``).
  init(
    path: FilePath, existing: Existing = .replaced, interruption: Interruption? = nil,
    of input: Input? = nil
  ) throws(OutputError) {
    name = path.isStandardStream ? "standard output" : printable(path)
    (self.existing, self.input) = (existing, input)
    target = path.resolvingLinks
    do {
      if existing == .kept, path.isTaken { throw Errno.fileExists }
      if let named = path.isStandardStream ? .standardOutput : path.namedDescriptor {
        temporary = nil
        descriptor = try named.duplicate()
      } else if target.isReplaceable {
        try target.checkMayBeReplaced()
        let made = try TemporaryFiles.make(beside: target)
        (temporary, descriptor) = (made.path, made.descriptor)
        target.copyPermissions(to: descriptor)
      } else {
        temporary = nil
        descriptor =
          try interruption?.openForWriting(target)
          ?? FileDescriptor.open(target, .writeOnly, options: .closeOnExec)
      }
    } catch {
      throw OutputError(name: name, target.reason(error as? Errno ?? .ioError))
    }
  }

  func write(_ bytes: some Sequence<UInt8>) throws(OutputError) {
    try descriptor.write(all: bytes, name: name)
  }

  /// Returns another descriptor of the file, for a library that writes and closes it before ``commit()``.
  func duplicate() throws(Errno) -> FileDescriptor {
    try catching { try descriptor.duplicate() }
  }

  /// Closes the file and gives it its name. A network file system may report a full disk only when the file is closed.
  ///
  /// - Parameter next: Returns the name in the same folder to try if this one is in use; `nil` if that is an error.
  func commit(orAs next: (() -> FilePath)? = nil) throws(OutputError) {
    do {
      isOpen = false
      try descriptor.close()
      while let temporary {
        do throws(Errno) {
          try name(temporary)
          break
        } catch {
          guard error == .fileExists, let next else { throw error }
          target = next()
          name = printable(target)
        }
      }
    } catch {
      throw OutputError(name: name, error as? Errno ?? .ioError)
    }
    guard let temporary else { return }
    if let input { TemporaryFiles.add(target, of: input) }
    TemporaryFiles.forget(temporary)
    self.temporary = nil
  }

  private func name(_ temporary: FilePath) throws(Errno) {
    switch existing {
    case .replaced: try temporary.rename(to: target)
    case .kept: try temporary.rename(toNew: target)
    }
  }

  deinit {
    if isOpen { try? descriptor.close() }
    guard let temporary else { return }
    temporary.unlink()
    TemporaryFiles.forget(temporary)
  }
}
