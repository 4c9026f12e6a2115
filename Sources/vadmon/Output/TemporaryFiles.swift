import AudioInput
import Glibc
import SystemPackage
import VoiceActivity

/// The neighbours that wait to be renamed, so that a signal that ends vadmon leaves none behind.
enum TemporaryFiles {
  private struct State {
    var count = 0
    var paths: Set<FilePath> = []
  }

  private static let state = Guarded(State())

  /// A new file with a hidden name in the same folder, and so on the same file system.
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
            // What the umask takes away is gone.
            permissions: [.ownerReadWrite, .groupReadWrite, .otherReadWrite])
          state.paths.insert(neighbour)
          return .success((neighbour, descriptor))
        } catch Errno.fileExists {
          // A process that was killed had the same number: its file is not ours.
        } catch {
          return .failure(error as? Errno ?? .ioError)
        }
      }
    }
    return try made.get()
  }

  /// It has its name, or is gone.
  static func forget(_ path: FilePath) { state.change { _ = $0.paths.remove(path) } }

  /// Ends the process without leaving any, with the terminal as it was, and without the program that it runs. The lock
  /// is kept to the end, so that no other thread makes a new file meanwhile; what has to be flushed was written already.
  static func removeAllAndExit(_ status: Int32) -> Never {
    state.change { state in
      TerminalModes.close()
      ChildProcess.killRunning()
      for path in state.paths { path.unlink() }
      Recording.endDecoders()
      _exit(status)
    }
  }
}
