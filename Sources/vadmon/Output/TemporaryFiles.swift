import Synchronization
import SystemPackage

/// The neighbours that wait to be renamed, so that a second SIGINT leaves none behind.
enum TemporaryFiles {
  private static let paths = Mutex<Set<FilePath>>([])

  static func add(_ path: FilePath) { paths.withLock { _ = $0.insert(path) } }
  static func remove(_ path: FilePath) { paths.withLock { _ = $0.remove(path) } }

  static func unlinkAll() {
    paths.withLock { paths in
      for path in paths { path.unlink() }
    }
  }
}
