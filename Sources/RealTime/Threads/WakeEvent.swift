internal import CLinux
internal import Glibc
package import SystemPackage

/// An event that wakes a waiting thread, based on eventfd(2). A signal sent before the wait ends that wait.
///
/// Threads: any thread may signal; one waits.
package final class WakeEvent: Sendable {
  /// The descriptor, readable when signalled, for a thread that waits for other things as well.
  package let descriptor: FileDescriptor

  package init() throws(Errno) {
    let result = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    guard result >= 0 else { throw Errno(rawValue: errno) }
    descriptor = FileDescriptor(rawValue: result)
  }

  deinit { try? descriptor.close() }

  package func signal() {
    // Fails only when 2^64 − 2 signals wait, and then the waiter wakes anyway.
    var one: UInt64 = 1
    _ = write(descriptor.rawValue, &one, 8)
  }

  /// Waits for a signal, for `input` to have bytes, an end or an error to read, or for `milliseconds` to pass (−1: no
  /// limit). Clears the signal.
  ///
  /// - Returns: Whether `input` can be read without waiting.
  @discardableResult
  package func wait(orFor input: FileDescriptor? = nil, atMost milliseconds: Int32 = -1) -> Bool {
    // poll(2) skips negative descriptors.
    var waited = (
      pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0),
      pollfd(fd: input?.rawValue ?? -1, events: Int16(POLLIN), revents: 0)
    )
    withUnsafeMutablePointer(to: &waited) { both in
      both.withMemoryRebound(to: pollfd.self, capacity: 2) { first in
        while poll(first, 2, milliseconds) < 0 && errno == EINTR {}
      }
    }
    clear()
    return waited.1.revents != 0
  }

  /// Clears the signals that have arrived. It does not use `FileDescriptor`, which would allocate an error where there
  /// is not a signal.
  package func clear() {
    var signals: UInt64 = 0
    _ = read(descriptor.rawValue, &signals, 8)
  }
}
