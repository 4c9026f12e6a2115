internal import CLinux
internal import Glibc
internal import RealTime
internal import Synchronization
package import SystemPackage

/// The bytes of a file or of a pipe, from front to back. Bytes that were looked at can still be read. A failed read
/// counts as the end, and ``failure`` tells why.
///
/// Threads: one thread at a time reads; any thread may stop it. `@unchecked Sendable` is safe because only the reading
/// thread touches what is not constant.
package final class ByteStream: @unchecked Sendable {
  /// The name shown to users.
  package let name: String
  let descriptor: FileDescriptor
  /// The number of bytes of a file, without the tags at its end; `nil` for what comes only once.
  private(set) var size: Int64?
  /// The offset of the next byte.
  private(set) var position: Int64 = 0
  /// The error of the first failed read.
  private(set) var failure: Errno?
  /// Whether bytes were missing that a file had when it was opened.
  private(set) var hasShrunk = false
  /// Bytes that shall be seen instead of those in the file.
  var patch: (offset: Int64, bytes: [UInt8])? { didSet { (held, heldStart) = ([], position) } }

  /// The bytes from `heldStart` on that have been received: of a pipe, those that can still be read; of a file, any.
  private var held: [UInt8] = []
  private var heldStart: Int64 = 0
  private var heldEnd: Int64 { heldStart + Int64(held.count) }
  private let closesDescriptor: Bool
  private let wake: WakeEvent
  private let stopped = Atomic(false)

  /// The number of bytes that stay at hand, so that a decoder that read too far can go back in a pipe, too.
  private static let memory = 1 << 17
  /// The least and the most bytes that are asked for at once.
  private static let (leastRead, mostRead) = (1 << 12, 1 << 16)

  /// Creates a stream of everything from a descriptor's position on. A file at its beginning is read by offsets, so
  /// that any part of it can be read again.
  ///
  /// - Parameter closing: Whether the stream closes `descriptor` at the end.
  package init(
    _ descriptor: FileDescriptor, name: String, closing closesDescriptor: Bool = false
  ) throws(AudioInputError) {
    let isFile = (try? descriptor.seek(offset: 0, from: .current)) == 0
    do {
      wake = try WakeEvent()
      size = isFile ? try catching { try descriptor.seek(offset: 0, from: .end) } : nil
    } catch {
      if closesDescriptor { try? descriptor.close() }
      throw .readFailed(name: name, error)
    }
    if isFile { _ = try? descriptor.seek(offset: 0, from: .start) }
    (self.name, self.descriptor, self.closesDescriptor) = (name, descriptor, closesDescriptor)
    if isFile { size = Tag.trailing(Region(self)) }
  }

  /// Opens a file or a pipe, without waiting for a writer of a named pipe: reading waits for its bytes, and can be
  /// stopped.
  package convenience init(_ path: FilePath) throws(AudioInputError) {
    let descriptor: FileDescriptor
    do {
      descriptor = try catching {
        try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
      }
    } catch {
      throw .cannotOpen(name: path.string, error)
    }
    // Reading would fail too, but with different errors on different file systems.
    var status = stat()
    if fstat(descriptor.rawValue, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      try? descriptor.close()
      throw .isFolder(name: path.string)
    }
    try self.init(descriptor, name: path.string, closing: true)
  }

  deinit { if closesDescriptor { try? descriptor.close() } }

  /// Ends the stream early, even for a reader that is waiting. Any thread may call it.
  package func stop() {
    // Releasing: what the caller did before is seen by whoever sees that the stream was stopped.
    stopped.store(true, ordering: .releasing)
    wake.signal()
  }

  // Acquiring: pairs with the store in stop().
  var isStopped: Bool { stopped.load(ordering: .acquiring) }

  /// Returns the bytes at an offset without reading on, `count` of them or as many as there are. Waits for those of a
  /// pipe.
  func peek(_ count: Int, at offset: Int64) -> [UInt8] {
    hold(from: offset, to: offset + Int64(count), room: count)
    guard heldStart...heldEnd ~= offset else { return [] }
    return Array(held[Int(offset - heldStart)...].prefix(count))
  }

  /// Reads at least one byte and at most `most`, waiting for it. Returns none at the end of the stream or when stopped.
  func read(_ most: Int) -> [UInt8] {
    hold(from: position, to: position + 1, room: most)
    let bytes = peek(min(most, Int(max(0, heldEnd - position))), at: position)
    position += Int64(bytes.count)
    return bytes
  }

  /// Passes over bytes. Returns how many there were.
  func skip(_ count: Int64) -> Int64 {
    let start = position
    if let size {
      position += max(0, min(count, size - position))
    } else {
      while position - start < count, !read(Int(min(count - (position - start), 1 << 16))).isEmpty {
      }
    }
    return position - start
  }

  /// Continues at another place: anywhere in a file, and in a pipe as far back as it remembers.
  func move(to offset: Int64) {
    position = size == nil ? min(max(heldStart, offset), heldEnd) : offset
  }

  /// Receives the bytes of a range, unless they are held, as far as there are.
  private func hold(from offset: Int64, to end: Int64, room: Int) {
    if size != nil, !(heldStart...heldEnd ~= offset) { (held, heldStart) = ([], offset) }
    guard heldEnd < end else { return }
    forget(before: size == nil ? position : offset)
    while heldEnd < end {
      let room = min(max(Self.leastRead, room), Self.mostRead)
      let more = [UInt8](unsafeUninitializedCapacity: room) {
        $1 = receive(UnsafeMutableRawBufferPointer($0), at: heldEnd)
      }
      if more.isEmpty { return }
      held += more
    }
  }

  private func forget(before offset: Int64) {
    let memory = size == nil ? Self.memory : 0
    let old = Int(offset - heldStart) - memory
    // Rarely, because what remains is moved.
    guard old > memory else { return }
    held.removeFirst(old)
    heldStart += Int64(old)
  }

  /// Reads bytes at an offset, of a pipe those that come next, and waits for one. Returns their number.
  private func receive(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int {
    // The signal ends one wait; the flag ends all later ones.
    while failure == nil, !isStopped {
      do {
        if let size {
          // A file of no length may be a descriptor that cannot be read.
          let room = size == 0 ? buffer.count : Int(max(0, min(Int64(buffer.count), size - offset)))
          let count = try catching {
            try descriptor.read(fromAbsoluteOffset: offset, into: .init(rebasing: buffer[..<room]))
          }
          if count == 0, room > 0, size > 0 { hasShrunk = true }
          for (place, byte) in zip((patch?.offset ?? 0)..., patch?.bytes ?? [])
          where offset..<offset + Int64(count) ~= place {
            buffer[Int(place - offset)] = byte
          }
          return count
        }
        if wake.wait(orFor: descriptor), !isStopped {
          return try catching { try descriptor.read(into: buffer) }
        }
      } catch .resourceTemporarilyUnavailable, .interrupted {
        // The descriptor is non-blocking.
      } catch {
        failure = error
      }
    }
    return 0
  }
}

/// A part of the bytes, from its start: to be examined in any order. Of a pipe, these are the bytes that come next.
struct Region {
  let stream: ByteStream
  /// The offset of the first byte.
  var start: Int64
  /// The offset behind the last byte; `nil` if it is unknown, in a pipe.
  var end: Int64?

  /// How much of a pipe can be examined. Headers with pictures before the sound are rare in streams.
  static let longestHead = 1 << 20

  /// Everything from an offset on, by default from the next byte on.
  init(_ stream: ByteStream, from start: Int64? = nil) {
    (self.stream, self.start, end) = (stream, start ?? stream.position, stream.size)
  }

  /// The number of bytes; for a pipe, more than anybody examines.
  var count: Int64 { (end ?? .max) - start }

  /// Returns the bytes at an offset, as many as there are.
  func upTo(_ count: Int, at offset: Int64) -> [UInt8] {
    guard offset >= 0, offset < self.count else { return [] }
    let (count, offset) = (Int(min(Int64(count), self.count - offset)), start + offset)
    guard end != nil || offset + Int64(count) - stream.position <= Self.longestHead else {
      return []
    }
    return stream.peek(count, at: offset)
  }

  /// Returns where a text stands next in a file; `nil` if nowhere.
  func search(_ text: StaticString, from start: Int64) -> Int64? {
    let text = text.withUTF8Buffer(Array.init)
    var offset = start
    while case let bytes = upTo(1 << 16, at: offset), bytes.count >= text.count {
      if let place = bytes.place(of: text) { return offset + Int64(place) }
      offset += Int64(bytes.count - text.count + 1)
    }
    return nil
  }
}

extension [UInt8] {
  /// Returns where other bytes stand first among these; `nil` if nowhere.
  func place(of part: [UInt8]) -> Int? {
    withUnsafeBytes { bytes in
      guard let first = bytes.baseAddress else { return nil }
      return memmem(first, bytes.count, part, part.count).map { UnsafeRawPointer($0) - first }
    }
  }

  /// Returns the unsigned integer stored at `offset`.
  func integer<Value: FixedWidthInteger & UnsignedInteger>(
    at offset: Int, as type: Value.Type = Value.self, isBigEndian: Bool = false
  ) -> Value {
    let bytes = self[offset..<offset + MemoryLayout<Value>.size]
    let upperFirst = isBigEndian ? Array(bytes) : bytes.reversed()
    return upperFirst.reduce(0) { $0 << 8 | Value($1) }
  }
}
