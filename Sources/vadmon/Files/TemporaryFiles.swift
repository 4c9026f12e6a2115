import Glibc
import Processes
import RealTime
import SystemPackage

/// The temporary files that wait to be renamed, and the files of inputs whose results are not complete yet.
///
/// A signal that ends vadmon removes them, unless it is SIGKILL: then the next vadmon that makes a temporary file in a
/// folder removes the temporary ones there (``AbandonedFile``).
enum TemporaryFiles {
  private struct State {
    var count = 0
    var paths: Set<FilePath> = []
    /// The files that have their names already, by their inputs.
    var unfinished: [Input: [FilePath]] = [:]
    /// The folders in which no file of an earlier process is left.
    var clearedFolders: Set<FilePath> = []
  }

  private static let state = Guarded(State())

  /// Creates a file with a hidden name in the same folder, and therefore on the same file system.
  static func make(
    beside path: FilePath
  ) throws(Errno) -> (path: FilePath, descriptor: FileDescriptor) {
    let folder = path.removingLastComponent()
    let made: Result<(FilePath, FileDescriptor), Errno> = state.change { state in
      if state.clearedFolders.insert(folder).inserted {
        AbandonedFile.removeAll(in: folder, except: state.paths)
      }
      while true {
        state.count += 1
        let neighbour = folder.appending(AbandonedFile.name(getpid(), state.count))
        do {
          let descriptor = try FileDescriptor.open(
            neighbour, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
            // The umask clears bits of these permissions.
            permissions: [.ownerReadWrite, .groupReadWrite, .otherReadWrite])
          AbandonedFile.claim(descriptor)
          state.paths.insert(neighbour)
          return .success((neighbour, descriptor))
        } catch Errno.fileExists {
          // It belongs to a process with the same process ID in another container.
        } catch {
          return .failure(error as? Errno ?? .ioError)
        }
      }
    }
    return try made.get()
  }

  /// Removes a file from the list after it has been renamed or removed.
  static func forget(_ path: FilePath) { state.change { _ = $0.paths.remove(path) } }

  /// Takes note of a file that has its name, but goes if its input is not finished.
  static func add(_ path: FilePath, of input: Input) {
    state.change { $0.unfinished[input, default: []].append(path) }
  }

  /// Ends an input: its files stay if it is complete.
  static func finish(_ input: Input, isComplete: Bool) {
    state.change { state in
      let files = state.unfinished.removeValue(forKey: input) ?? []
      if !isComplete { for path in files { path.unlink() } }
    }
  }

  /// Removes all these files, restores the terminal, kills the programs that vadmon runs, and ends the process: by
  /// the signal that asked for the end, if any, or else with `status`. Every end that is not an ordinary return goes
  /// through here.
  ///
  /// The lock is held to the end, so that no other thread creates another file. Everything that must be flushed has
  /// been written before.
  static func removeAllAndExit(
    _ status: Int32, by signal: Int32? = EndingSignals.request
  ) -> Never {
    state.change { state in
      TerminalModes.close()
      for path in state.paths.union(state.unfinished.values.joined()) { path.unlink() }
      ChildProcess.killAll()
      if let signal { EndingSignals.endProcess(by: signal) }
      _exit(signal.map(ExitStatus.ended) ?? status)
    }
  }
}
