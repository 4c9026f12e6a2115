import Glibc
import SystemPackage

/// The temporary files that a killed vadmon has left behind.
///
/// A file is abandoned if the process that made it no longer runs on this machine and no process holds its lock. The
/// lock protects the files of processes on other machines and in other containers, whose IDs mean nothing here.
enum AbandonedFile {
  private static let start = ".vadmon-"
  private static let end = ".tmp"

  /// Returns the name of a temporary file of a process.
  static func name(_ process: pid_t, _ number: Int) -> String {
    "\(start)\(process)-\(number)\(end)"
  }

  /// Marks a new file as in use for as long as it is open. A file system without locks refuses this.
  static func claim(_ file: FileDescriptor) { _ = flock(file.rawValue, LOCK_SH | LOCK_NB) }

  /// Removes what is abandoned in a folder.
  ///
  /// - Parameter own: The files of this process.
  static func removeAll(in folder: FilePath, except own: Set<FilePath>) {
    for file in (try? Folder.entries(of: folder.isEmpty ? "." : folder)) ?? [] {
      let path = folder.appending(file.components.suffix(1))
      if let process = process(of: path), !own.contains(path), !isRunning(process),
        !isInUse(path)
      {
        path.unlink()
      }
    }
  }

  /// Returns the process that made a file, if it is a temporary file.
  private static func process(of file: FilePath) -> pid_t? {
    guard let name = file.lastComponent?.string, name.hasPrefix(start), name.hasSuffix(end),
      (try? file.stat(followTargetSymlink: false).type) == .regular
    else { return nil }
    let numbers = name.dropFirst(start.count).dropLast(end.count).split(separator: "-")
    guard numbers.count == 2, let process = pid_t(numbers[0]), let number = Int(numbers[1]),
      name == self.name(process, number)
    else { return nil }
    return process
  }

  /// Whether another process of this ID runs. A new container gives its first process the ID of the old one's.
  private static func isRunning(_ process: pid_t) -> Bool {
    process != getpid() && (kill(process, 0) == 0 || errno != ESRCH)
  }

  private static func isInUse(_ file: FilePath) -> Bool {
    guard
      let descriptor = try? FileDescriptor.open(
        file, .readOnly, options: [.noFollow, .nonBlocking, .closeOnExec])
    else { return true }
    defer { try? descriptor.close() }
    return flock(descriptor.rawValue, LOCK_EX | LOCK_NB) != 0
  }
}
