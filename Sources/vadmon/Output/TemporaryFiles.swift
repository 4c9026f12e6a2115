import Glibc
import SystemPackage

/// The neighbours that wait to be renamed, so that a second SIGINT leaves none behind.
enum TemporaryFiles {
  private struct State {
    var count = 0
    var paths: Set<FilePath> = []
  }

  private static let state = Monitor(State())

  /// A new hidden name in the same folder, and so on the same file system.
  static func neighbour(of path: FilePath) -> FilePath {
    state.change { state in
      state.count += 1
      let name = ".vadmon-\(getpid())-\(state.count).tmp"
      let neighbour = path.removingLastComponent().appending(name)
      state.paths.insert(neighbour)
      return neighbour
    }
  }

  static func remove(_ path: FilePath) { state.change { _ = $0.paths.remove(path) } }

  /// Ends the process without leaving any. The lock is kept to the end, so that no other thread makes a new
  /// one meanwhile; what has to be flushed was written already.
  static func removeAllAndExit(_ status: Int32) -> Never {
    state.change { state in
      for path in state.paths { path.unlink() }
      _exit(status)
    }
  }
}
