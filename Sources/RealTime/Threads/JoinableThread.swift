package import Glibc
package import SystemPackage

/// A thread for work that blocks, which must not run in Swift's task pool.
package final class JoinableThread: Sendable {
  /// The handle for `pthread_` functions. It is valid until the thread is joined, or ends after ``detach()``.
  package let handle: pthread_t

  /// Starts `body` on a new thread, or throws why the system cannot. The thread blocks all signals, so that they go to
  /// the host's threads.
  package init(_ body: @escaping @Sendable () -> Void) throws(Errno) {
    // The pointer outlives this call: the new thread takes over the reference, or the failure path below releases it.
    let start = Unmanaged.passRetained(Start(body))
    var handle = pthread_t()
    let code = pthread_create(&handle, nil, { runThread($0) }, start.toOpaque())
    guard code == 0 else {
      start.release()
      throw Errno(rawValue: code)
    }
    self.handle = handle
  }

  /// Starts `body` on a thread that nobody joins, which ends with `body` or with the process. Returns `false` if the
  /// system cannot create another thread.
  @discardableResult
  package static func startDetached(_ body: @escaping @Sendable () -> Void) -> Bool {
    (try? JoinableThread(body))?.detach() != nil
  }

  /// Waits until the thread has ended. Call it once.
  package func join() { pthread_join(handle, nil) }

  /// Lets the thread end by itself, instead of ``join()``.
  package func detach() { pthread_detach(handle) }

  /// Returns what `body` returns on a new thread, or throws why there is none. The waiting task blocks no thread.
  package static func value<Value: Sendable>(
    of body: @escaping @Sendable () -> Value
  ) async throws(Errno) -> Value {
    let result = await withCheckedContinuation { continuation in
      do throws(Errno) {
        try JoinableThread { continuation.resume(returning: Result<Value, Errno>.success(body())) }
          .detach()
      } catch {
        continuation.resume(returning: .failure(error))
      }
    }
    return try result.get()
  }

  fileprivate final class Start: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
}

private func runThread(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  let start = Unmanaged<JoinableThread.Start>.fromOpaque(argument!).takeRetainedValue()
  var all = sigset_t()
  sigfillset(&all)
  pthread_sigmask(SIG_BLOCK, &all, nil)
  start.body()
  return nil
}
