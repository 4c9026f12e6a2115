import Glibc
import Processes
import RealTime
import SystemPackage

/// The orderly end of an analysis: the first request stops all sources, so that vadmon prints what it has found; the
/// second ends the process as ``EndingSignals`` describes.
final class Interruption: Sendable {
  private struct State {
    var isInterrupted = false
    var stops: [ObjectIdentifier: @Sendable () -> Void] = [:]
  }

  private let state = Guarded(State())
  private let onInterrupt: @Sendable () -> Void

  /// Creates the state. `onInterrupt` is called once, on any thread, before the sources are stopped.
  init(onInterrupt: @escaping @Sendable () -> Void) { self.onInterrupt = onInterrupt }

  var isInterrupted: Bool { state.change { $0.isInterrupted } }

  /// Calls `stop` on the request, or at once if there was one already, until `forget(_:)` is called for
  /// `owner`.
  func watch(_ owner: AnyObject, stop: @escaping @Sendable () -> Void) {
    let stopsNow = state.change { state in
      state.stops[ObjectIdentifier(owner)] = stop
      return state.isInterrupted
    }
    if stopsNow { stop() }
  }

  /// Ends a program that completes a file if it still runs five seconds after the request, until `forget(_:)` is
  /// called for `owner`.
  func watch(_ owner: AnyObject, ending program: ChildProcess) {
    watch(owner) {
      JoinableThread.startDetached {
        sleep(5)
        program.kill()
      }
    }
  }

  func forget(_ owner: AnyObject) {
    state.change { _ = $0.stops.removeValue(forKey: ObjectIdentifier(owner)) }
  }

  /// Takes over the next request, which would end the process.
  func begin() { EndingSignals.catchRequest(interrupt) }

  /// Holds the lock only to copy the list, so that no `stop` runs under it.
  private func interrupt() {
    onInterrupt()
    let stops = state.change { state in
      state.isInterrupted = true
      return Array(state.stops.values)
    }
    for stop in stops { stop() }
  }
}

extension Interruption {
  private typealias Opened = Result<FileDescriptor, Errno>

  /// Opens a pipe or device for writing. Opening a pipe waits for its reader, and an interruption ends the wait:
  /// without a reader, the error is then `noSuchAddressOrDevice`, as open(2) reports it for O_NONBLOCK.
  ///
  /// Nothing else ends open(2), so it waits on a thread of its own, which is abandoned.
  func openForWriting(_ path: FilePath) throws(Errno) -> FileDescriptor {
    let opened = Guarded<Opened?>(nil)
    let isStarted = JoinableThread.startDetached {
      let result = Opened { () throws(Errno) in
        try catching { try FileDescriptor.open(path, .writeOnly, options: .closeOnExec) }
      }
      let isLate = opened.change { opened in
        defer { opened = opened ?? result }
        return opened != nil
      }
      if isLate { try? result.get().close() }
    }
    guard isStarted else { throw .resourceTemporarilyUnavailable }
    watch(opened) {
      opened.change { $0 = $0 ?? Opened { () throws(Errno) in try path.openNow() } }
    }
    defer { forget(opened) }
    return try opened.wait { $0 }.get()
  }
}
