import Glibc
import Processes
import RealTime
import SystemPackage

/// The temporary files that wait to be renamed. A signal that ends vadmon removes them.
enum TemporaryFiles {
  private struct State {
    var count = 0
    var paths: Set<FilePath> = []
  }

  private static let state = Guarded(State())

  /// Creates a file with a hidden name in the same folder, and therefore on the same file system.
  static func make(
    beside path: FilePath
  ) throws(Errno) -> (path: FilePath, descriptor: FileDescriptor) {
    let made: Result<(FilePath, FileDescriptor), Errno> = state.change { state in
      while true {
        state.count += 1
        let name = ".vadmon-\(getpid())-\(state.count).tmp"
        let neighbour = path.removingLastComponent().appending(name)
        do {
          let descriptor = try FileDescriptor.open(
            neighbour, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
            // The umask clears bits of these permissions.
            permissions: [.ownerReadWrite, .groupReadWrite, .otherReadWrite])
          state.paths.insert(neighbour)
          return .success((neighbour, descriptor))
        } catch Errno.fileExists {
          // A killed process with the same process ID left this file behind: it is not ours.
        } catch {
          return .failure(error as? Errno ?? .ioError)
        }
      }
    }
    return try made.get()
  }

  /// Removes a file from the list after it has been renamed or removed.
  static func forget(_ path: FilePath) { state.change { _ = $0.paths.remove(path) } }

  /// Removes all temporary files, restores the terminal, kills the programs that vadmon runs, and ends the process.
  ///
  /// The lock is held to the end, so that no other thread creates another file. Everything that must be flushed has
  /// been written before.
  static func removeAllAndExit(_ status: Int32) -> Never {
    state.change { state in
      TerminalModes.close()
      for path in state.paths { path.unlink() }
      ChildProcess.killAll()
      _exit(status)
    }
  }
}
