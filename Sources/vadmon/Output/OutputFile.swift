import Glibc
import SystemPackage

/// A file that appears under its name only when it is complete.
///
/// What is written goes to a hidden neighbour, which ``commit()`` renames: on a full disk or an early end the
/// old file stays. Devices and pipes cannot be replaced and are written to directly.
final class OutputFile {
  /// What becomes of a file that has the name already.
  enum Existing: Sendable {
    /// The complete file takes its place. For a name that the user chose.
    case replaced
    /// It stays, and so does one that somebody else makes meanwhile. For a name that vadmon made up.
    case kept
  }

  private let name: String
  private let target: FilePath
  private let existing: Existing
  private let descriptor: FileDescriptor
  private var isOpen = true
  /// The neighbour, as long as there is one.
  private var temporary: FilePath?

  init(path: FilePath, existing: Existing = .replaced) throws(OutputError) {
    name = FileNames.printable(path)
    self.existing = existing
    target = path.resolvingLinks
    do {
      if existing == .kept, path.isTaken { throw Errno.fileExists }
      if target.isReplaceable {
        let made = try TemporaryFiles.make(beside: target)
        (temporary, descriptor) = (made.path, made.descriptor)
      } else {
        (temporary, descriptor) = (nil, try FileDescriptor.open(target, .writeOnly))
      }
    } catch {
      throw OutputError(name: name, error as? Errno ?? .ioError)
    }
  }

  func write(_ bytes: some Sequence<UInt8>) throws(OutputError) {
    try descriptor.write(all: bytes, name: name)
  }

  /// Closes the file, which may be when a file server tells of a full disk, and gives it its name.
  func commit() throws(OutputError) {
    do {
      isOpen = false
      try descriptor.close()
      if let temporary { try name(temporary) }
    } catch {
      throw OutputError(name: name, error as? Errno ?? .ioError)
    }
    if let temporary { TemporaryFiles.forget(temporary) }
    temporary = nil
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
