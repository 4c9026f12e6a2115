internal import Glibc

/// A value behind a lock, with a condition to wait for (pthreads).
///
/// `Synchronization.Mutex` has no condition, and ThreadSanitizer does not know its futex, so it reports races on what
/// the mutex protects.
///
/// `@unchecked Sendable` is safe because `state` is used only while `mutex` is held. The mutex and the condition need
/// stable addresses, hence the pointers, which are valid as long as this object lives.
package final class Guarded<State>: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var state: State

  package init(_ state: sending State) {
    self.state = state
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(changed, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(mutex)
    changed.deallocate()
    mutex.deallocate()
  }

  /// Changes the state and wakes every thread that waits for a change.
  package func change<Result>(_ body: (inout State) -> Result) -> Result {
    locked { body(&state) }
  }

  /// Waits until `body` returns a result. `body` is called again after every change.
  package func wait<Result>(for body: (inout State) -> Result?) -> Result {
    locked {
      while true {
        if let result = body(&state) { return result }
        pthread_cond_wait(changed, mutex)
      }
    }
  }

  /// Waits as ``wait(for:)`` does, but not longer than until `deadline` (CLOCK_MONOTONIC, ns). Returns `nil` then.
  package func wait<Result>(until deadline: Int64, for body: (inout State) -> Result?) -> Result? {
    var time = timespec(nanoseconds: deadline)
    return locked {
      while true {
        if let result = body(&state) { return result }
        if pthread_cond_timedwait(changed, mutex, &time) != 0 { return body(&state) }
      }
    }
  }

  private func locked<Result>(_ body: () -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer {
      pthread_cond_broadcast(changed)
      pthread_mutex_unlock(mutex)
    }
    return body()
  }
}
