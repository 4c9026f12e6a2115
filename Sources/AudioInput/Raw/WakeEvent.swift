internal import CLinux
internal import Glibc
package import SystemPackage

/// Wakes a waiting thread; a signal that comes before the wait ends that wait. An eventfd(2).
///
/// Threads: any may signal, one waits.
package final class WakeEvent: Sendable {
  /// For who waits for other things as well: readable when signalled.
  package let descriptor: FileDescriptor

  package init() throws(Errno) {
    let result = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    guard result >= 0 else { throw Errno(rawValue: errno) }
    descriptor = FileDescriptor(rawValue: result)
  }

  deinit { try? descriptor.close() }

  package func signal() {
    // Fails only when 2^64 − 2 signals wait, and then the waiter will wake all the same.
    var one: UInt64 = 1
    _ = write(descriptor.rawValue, &one, 8)
  }

  /// Waits for a signal, or until `input` has bytes, an end or an error to be read, or so many
  /// milliseconds (−1: for ever). Clears the signal.
  package func wait(orFor input: FileDescriptor? = nil, atMost milliseconds: Int32 = -1) {
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
  }

  /// Takes the signals that have come. Not through `FileDescriptor`, which would allocate an error where
  /// there is none.
  package func clear() {
    var signals: UInt64 = 0
    _ = read(descriptor.rawValue, &signals, 8)
  }
}
