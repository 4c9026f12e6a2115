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
  /// Bytes that were looked at and not read yet.
  private var head: ArraySlice<UInt8> = []
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

  var hasHead: Bool { !head.isEmpty }

  /// The next `count` bytes, which stay to be read; fewer where the stream ends before. Waits for them.
  func peek(_ count: Int) throws(Errno) -> ArraySlice<UInt8> {
    while head.count < count {
      var block = [UInt8](repeating: 0, count: max(4096, count - head.count))
      let got = try catching { try block.withUnsafeMutableBytes { try wait(into: $0) } }
      guard got > 0 else { break }
      head = ArraySlice(head + block[..<got])
    }
    return head.prefix(count)
  }

  /// Passes over bytes that were looked at.
  func drop(_ count: Int) { head = head.dropFirst(count) }

  /// The next bytes, at least one, waiting for them; 0 at the end of the stream or when stopped.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int {
    try hasHead ? readNow(into: buffer) : wait(into: buffer)
  }

  /// The same without waiting where there is a head, or ``descriptor`` is ready.
  func readNow(into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int {
    guard hasHead else { return try catching { try descriptor.read(into: buffer) } }
    let count = min(head.count, buffer.count)
    buffer.copyBytes(from: head.prefix(count))
    head = head.dropFirst(count)
    return count
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
