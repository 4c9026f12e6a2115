package import Glibc

/// The system has no thread left.
package struct ThreadError: Error {
  /// What `pthread_create` returned.
  package let errno: Int32
}

/// A thread of its own for work that blocks, which Swift's task pool is not for.
package final class JoinableThread: Sendable {
  /// For `pthread_` functions, while it is not joined.
  package let handle: pthread_t

  /// Starts `body`. The thread takes no signals: they go to the threads of the host.
  package init(_ body: @escaping @Sendable () -> Void) throws(ThreadError) {
    let start = Unmanaged.passRetained(Start(body))
    var handle = pthread_t()
    let code = pthread_create(&handle, nil, { runThread($0) }, start.toOpaque())
    guard code == 0 else {
      start.release()
      throw ThreadError(errno: code)
    }
    self.handle = handle
  }

  /// Waits until the thread has ended. Once.
  package func join() { pthread_join(handle, nil) }

  /// Leaves the thread to itself, instead of ``join()``.
  package func detach() { pthread_detach(handle) }

  /// What `body` returns or throws, from a thread of its own; the task that waits blocks no thread.
  package static func value<Value: Sendable>(
    of body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      do {
        let thread = try JoinableThread { continuation.resume(with: Result { try body() }) }
        thread.detach()
      } catch {
        continuation.resume(throwing: error)
      }
    }
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
