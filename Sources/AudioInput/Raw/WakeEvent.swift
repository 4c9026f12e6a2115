internal import CLinux
internal import Glibc
internal import SystemPackage

/// Wakes a waiting thread; a signal that comes before the wait ends that wait. An eventfd(2).
///
/// Threads: any may signal, one waits.
final class WakeEvent: Sendable {
  private let descriptor: FileDescriptor

  init() throws(Errno) {
    let result = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    guard result >= 0 else { throw Errno(rawValue: errno) }
    descriptor = FileDescriptor(rawValue: result)
  }

  deinit { try? descriptor.close() }

  func signal() {
    // Fails only when 2^64 − 2 signals wait, and then the waiter will wake all the same.
    _ = withUnsafeBytes(of: UInt64(1)) { try? descriptor.write($0) }
  }

  /// Waits for a signal, or until `input` has bytes, an end or an error to be read.
  func wait(orFor input: FileDescriptor? = nil) {
    // poll(2) skips negative descriptors.
    var waited = (
      pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0),
      pollfd(fd: input?.rawValue ?? -1, events: Int16(POLLIN), revents: 0)
    )
    withUnsafeMutablePointer(to: &waited) { both in
      both.withMemoryRebound(to: pollfd.self, capacity: 2) { first in
        while poll(first, 2, -1) < 0 && errno == EINTR {}
      }
    }
    var signals: UInt64 = 0
    _ = withUnsafeMutableBytes(of: &signals) { try? descriptor.read(into: $0) }
  }
}
