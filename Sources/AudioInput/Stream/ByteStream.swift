internal import RealTime
internal import Synchronization
package import SystemPackage

/// Bytes that come only once, such as those of a pipe. Bytes that were peeked at can still be read.
///
/// Threads: one thread at a time reads; any thread may stop it. `@unchecked Sendable` is safe because only the reading
/// thread touches the head. The atomic is relaxed, because the wake event orders it before the wait that it ends.
package final class ByteStream: @unchecked Sendable {
  /// The name shown to users.
  package let name: String
  let descriptor: FileDescriptor
  /// The bytes that were peeked at; those before `headStart` have been read.
  private var head: [UInt8] = []
  private var headStart = 0
  private let closesDescriptor: Bool
  private let wake: WakeEvent
  private let stopped = Atomic(false)

  /// Creates a stream.
  ///
  /// - Parameter closing: Whether the stream closes `descriptor` at the end.
  package init(
    _ descriptor: FileDescriptor, name: String, closing closesDescriptor: Bool = false
  ) throws(AudioInputError) {
    do {
      wake = try WakeEvent()
    } catch {
      if closesDescriptor { try? descriptor.close() }
      throw .readFailed(name: name, error)
    }
    self.name = name
    self.descriptor = descriptor
    self.closesDescriptor = closesDescriptor
  }

  deinit { if closesDescriptor { try? descriptor.close() } }

  /// Ends the stream early, even for a reader that is waiting. Any thread may call it.
  package func stop() {
    stopped.store(true, ordering: .relaxed)
    wake.signal()
  }

  var isStopped: Bool { stopped.load(ordering: .relaxed) }

  var hasHead: Bool { headStart < head.count }

  /// Returns the next `count` bytes without consuming them, or fewer at the end of the stream. Waits for them.
  func peek(_ count: Int) throws(Errno) -> ArraySlice<UInt8> {
    while head.count - headStart < count {
      let held = head.count
      let room = min(max(4096, headStart + count - held), 1 << 16)
      head.append(contentsOf: repeatElement(0, count: room))
      var got = 0
      defer { head.removeLast(room - got) }
      got = try catching {
        try head.withUnsafeMutableBytes { try wait(into: .init(rebasing: $0[held...])) }
      }
      if got == 0 { break }
    }
    return head[headStart...].prefix(count)
  }

  /// Skips bytes that were peeked at.
  func drop(_ count: Int) {
    headStart = min(head.count, headStart + count)
    if !hasHead { (head, headStart) = ([], 0) }
  }

  /// Reads at least one byte, waiting for it. Returns the number of bytes, 0 at the end of the stream or when stopped.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int {
    try hasHead ? readNow(into: buffer) : wait(into: buffer)
  }

  /// Reads as ``read(into:)`` does, but without waiting if there is a head or ``descriptor`` is ready.
  func readNow(into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int {
    guard hasHead else { return try catching { try descriptor.read(into: buffer) } }
    let bytes = head[headStart...].prefix(buffer.count)
    buffer.copyBytes(from: bytes)
    drop(bytes.count)
    return bytes.count
  }

  private func wait(into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int {
    while true {
      // The signal ends one wait; the flag ends all later ones.
      guard !isStopped else { return 0 }
      let isReady = wake.wait(orFor: descriptor)
      guard !isStopped else { return 0 }
      guard isReady else { continue }
      do {
        return try catching { try descriptor.read(into: buffer) }
      } catch .resourceTemporarilyUnavailable {
        // The descriptor is non-blocking.
      } catch .interrupted {
      }
    }
  }
}
