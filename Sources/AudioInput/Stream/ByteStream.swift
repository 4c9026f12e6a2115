internal import Synchronization
package import SystemPackage
internal import VoiceActivity

/// Bytes that come once, such as those of a pipe. What was looked at is still there to be read.
///
/// Threads: one at a time reads; any may stop.
package final class ByteStream: @unchecked Sendable {
  /// What people call it.
  package let name: String
  let descriptor: FileDescriptor
  /// Bytes that were looked at; those before `headStart` were read.
  private var head: [UInt8] = []
  private var headStart = 0
  private let closesDescriptor: Bool
  private let wake: WakeEvent
  private let stopped = Atomic(false)

  /// - Parameter closing: Whether the stream closes `descriptor` in the end.
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

  /// Ends the stream early, also for a reader who is waiting. Any thread.
  package func stop() {
    stopped.store(true, ordering: .relaxed)
    wake.signal()
  }

  var isStopped: Bool { stopped.load(ordering: .relaxed) }

  var hasHead: Bool { headStart < head.count }

  /// The next `count` bytes, which stay to be read; fewer where the stream ends before. Waits for them.
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

  /// Passes over bytes that were looked at.
  func drop(_ count: Int) {
    headStart = min(head.count, headStart + count)
    if !hasHead { (head, headStart) = ([], 0) }
  }

  /// The next bytes, at least one, waiting for them; 0 at the end of the stream or when stopped.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int {
    try hasHead ? readNow(into: buffer) : wait(into: buffer)
  }

  /// The same without waiting where there is a head, or ``descriptor`` is ready.
  func readNow(into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int {
    guard hasHead else { return try catching { try descriptor.read(into: buffer) } }
    let bytes = head[headStart...].prefix(buffer.count)
    buffer.copyBytes(from: bytes)
    drop(bytes.count)
    return bytes.count
  }

  private func wait(into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int {
    while true {
      // The signal ends one wait, the flag all that follow.
      guard !isStopped else { return 0 }
      wake.wait(orFor: descriptor)
      guard !isStopped else { return 0 }
      do {
        return try catching { try descriptor.read(into: buffer) }
      } catch .resourceTemporarilyUnavailable {
        // The descriptor does not block.
      } catch .interrupted {
      }
    }
  }
}
