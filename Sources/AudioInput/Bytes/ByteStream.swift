internal import Glibc
internal import RealTime
internal import Synchronization
package import SystemPackage

/// The bytes of a file or of a pipe, from front to back. Bytes that were peeked at can still be read.
///
/// Threads: one thread at a time reads; any thread may stop it. `@unchecked Sendable` is safe because only the reading
/// thread touches the head and the position. The atomic is relaxed, because the wake event orders it before the wait that
/// it ends.
package final class ByteStream: @unchecked Sendable {
  /// The name shown to users.
  package let name: String
  let descriptor: FileDescriptor
  /// The number of bytes of a file, without the tags at its end; `nil` for what comes only once.
  private(set) var size: Int64?
  /// The offset of the next byte.
  private(set) var position: Int64 = 0
  /// The error of the first failed read. Decoders take it for the end.
  private(set) var failure: Errno?

  /// Whether the last bytes of a pipe stay readable, so that a decoder that read too far can go back.
  var remembers = false
  /// The bytes that were peeked at, and before `headStart` some of those that have been read.
  private var head: [UInt8] = []
  private var headStart = 0
  /// How much is remembered at least: more than a decoder reads ahead.
  private static let memory = 1 << 17
  private let closesDescriptor: Bool
  private let wake: WakeEvent
  private let stopped = Atomic(false)

  /// Creates a stream.
  ///
  /// - Parameters:
  ///   - closing: Whether the stream closes `descriptor` at the end.
  ///   - isFile: Whether to read a file by offsets, so that any part of it can be read again.
  package init(
    _ descriptor: FileDescriptor, name: String, closing closesDescriptor: Bool = false,
    isFile: Bool = false
  ) throws(AudioInputError) {
    do {
      wake = try WakeEvent()
      size = isFile ? try catching { try descriptor.seek(offset: 0, from: .end) } : nil
    } catch {
      if closesDescriptor { try? descriptor.close() }
      throw .readFailed(name: name, error)
    }
    self.name = name
    self.descriptor = descriptor
    self.closesDescriptor = closesDescriptor
    if isFile { size = Tag.trailing(Region(self)) }
  }

  deinit { if closesDescriptor { try? descriptor.close() } }

  /// Ends the stream early, even for a reader that is waiting. Any thread may call it.
  package func stop() {
    stopped.store(true, ordering: .relaxed)
    wake.signal()
  }

  var isStopped: Bool { stopped.load(ordering: .relaxed) }

  var hasHead: Bool { headStart < head.count }

  // MARK: Reading on

  /// Returns the next `count` bytes without consuming them, or fewer at the end of the stream. Waits for them.
  func peek(_ count: Int) throws(Errno) -> ArraySlice<UInt8> {
    if head.count - headStart < count { forget() }
    while head.count - headStart < count {
      let held = head.count
      let room = min(max(4096, headStart + count - held), 1 << 16)
      head.append(contentsOf: repeatElement(0, count: room))
      var got = 0
      defer { head.removeLast(room - got) }
      let offset = position + Int64(held - headStart)
      got = try catching {
        try head.withUnsafeMutableBytes { try wait(.init(rebasing: $0[held...]), at: offset) }
      }
      if got == 0 { break }
    }
    return head[headStart...].prefix(count)
  }

  /// Drops bytes that have been read and need not be remembered.
  private func forget() {
    let most = remembers ? Self.memory : 0
    guard headStart > 2 * most || (most == 0 && headStart > 0) else { return }
    head.removeFirst(headStart - most)
    headStart = most
  }

  /// Returns the next bytes as ``peek(_:)`` does; a failed read counts as the end.
  func next(_ count: Int) -> [UInt8] {
    do {
      return Array(try peek(count))
    } catch {
      failure = failure ?? error
      return []
    }
  }

  /// Skips bytes that were peeked at.
  func drop(_ count: Int) {
    let dropped = min(head.count - headStart, count)
    (headStart, position) = (headStart + dropped, position + Int64(dropped))
    if !hasHead { forget() }
  }

  /// Skips bytes. Returns how many there were.
  func skip(_ count: Int64) -> Int64 {
    if let size {
      let skipped = max(0, min(count, size - position))
      move(to: position + skipped)
      return skipped
    }
    var rest = count
    while rest > 0, case let got = next(Int(min(rest, 1 << 16))).count, got > 0 {
      drop(got)
      rest -= Int64(got)
    }
    return count - rest
  }

  /// Continues at another place: anywhere in a file, and in a pipe as far back as it remembers.
  func move(to offset: Int64) {
    if size != nil {
      (head, headStart, position) = ([], 0, offset)
    } else {
      let place = min(max(0, headStart + Int(offset - position)), head.count)
      (headStart, position) = (place, position + Int64(place - headStart))
    }
  }

  /// Returns bytes of a pipe that are remembered or come next, as many as there are.
  fileprivate func upTo(_ count: Int, at offset: Int64) -> [UInt8] {
    let ahead = Int(offset - position)
    guard headStart + ahead >= 0 else { return [] }
    _ = next(max(0, ahead + count))
    return Array(head[min(head.count, headStart + ahead)...].prefix(count))
  }

  /// Reads at least one byte, waiting for it. Returns the number of bytes, 0 at the end of the stream or when stopped.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int {
    if hasHead { return try readNow(into: buffer) }
    let count = try wait(buffer, at: position)
    advance(over: buffer[..<count])
    return count
  }

  /// Reads until `buffer` is full or the stream ends; a failed read counts as the end. Returns the number of bytes.
  func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    var count = 0
    while count < buffer.count, case let part = readSome(.init(rebasing: buffer[count...])),
      part > 0
    {
      count += part
    }
    return count
  }

  /// Reads as ``read(into:)`` does; a failed read counts as the end.
  func readSome(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard failure == nil else { return 0 }
    do {
      return try read(into: buffer)
    } catch {
      failure = error
      return 0
    }
  }

  /// Reads as ``read(into:)`` does, but without waiting if there is a head or ``descriptor`` is ready.
  func readNow(into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int {
    guard hasHead else {
      let count = try catching { try descriptor.read(into: buffer) }
      advance(over: buffer[..<count])
      return count
    }
    let bytes = head[headStart...].prefix(buffer.count)
    buffer.copyBytes(from: bytes)
    drop(bytes.count)
    return bytes.count
  }

  private func advance(over bytes: Slice<UnsafeMutableRawBufferPointer>) {
    position += Int64(bytes.count)
    guard remembers, size == nil else { return }
    head += bytes
    headStart = head.count
    forget()
  }

  /// Reads what comes at an offset, without moving on. Of a pipe, this is what comes next.
  private func wait(
    _ buffer: UnsafeMutableRawBufferPointer, at offset: Int64
  ) throws(Errno) -> Int {
    if let size {
      // A file of no length may be a descriptor that cannot be read.
      guard !isStopped, offset < size || size == 0 else { return 0 }
      let room = UnsafeMutableRawBufferPointer(
        rebasing: buffer[
          ..<(size == 0 ? buffer.count : Int(min(Int64(buffer.count), size - offset)))])
      return try catching { try descriptor.read(fromAbsoluteOffset: offset, into: room) }
    }
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

/// A part of the bytes, from its start: to be examined in any order. Of a pipe, these are the bytes that come next.
struct Region {
  let stream: ByteStream
  /// The offset of the first byte.
  let start: Int64
  /// The offset behind the last byte; `nil` if it is unknown, in a pipe.
  var end: Int64?

  /// How much of a pipe can be examined. Headers with pictures before the sound are rare in streams.
  private static let longestHead = 1 << 20

  /// Everything from the next byte on.
  init(_ stream: ByteStream) {
    self.init(stream, from: stream.position)
  }

  /// Everything from an offset on.
  init(_ stream: ByteStream, from start: Int64) {
    (self.stream, self.start, end) = (stream, start, stream.size)
  }

  /// The number of bytes; for a pipe, more than anybody examines.
  var count: Int64 { (end ?? .max) - start }

  /// Returns the bytes at an offset, or `nil` if there are too few.
  func bytes(at offset: Int64, count: Int) -> [UInt8]? {
    guard offset >= 0, count >= 0, offset <= self.count - Int64(count) else { return nil }
    let bytes = self.upTo(count, at: offset)
    return bytes.count == count ? bytes : nil
  }

  /// Returns the bytes at an offset, as many as there are.
  func upTo(_ count: Int, at offset: Int64) -> [UInt8] {
    guard offset >= 0, offset < self.count else { return [] }
    let count = Int(min(Int64(count), self.count - offset))
    if stream.size != nil {
      return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
        initialized = read(at: offset, into: UnsafeMutableRawBufferPointer(buffer))
      }
    }
    guard start + offset + Int64(count) - stream.position <= Self.longestHead else { return [] }
    return stream.upTo(count, at: start + offset)
  }

  /// Returns where a text of at least two bytes stands next in a file; `nil` if nowhere.
  func search(_ text: StaticString, from start: Int64) -> Int64? {
    let length = text.utf8CodeUnitCount
    var offset = start
    while case let bytes = upTo(1 << 16, at: offset), bytes.count >= length {
      let first = text.utf8Start.pointee
      let found = bytes.indices.first { bytes[$0] == first && bytes.has(text, at: $0) }
      if let found { return offset + Int64(found) }
      offset += Int64(bytes.count - length + 1)
    }
    return nil
  }

  /// Reads from a file until `buffer` is full or the region ends. Returns the number of bytes.
  func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let room = Int(max(0, min(Int64(buffer.count), count - offset)))
    var got = 0
    while got < room {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[got..<room])
      let part = stream.readFile(at: start + offset + Int64(got), into: rest)
      if part == 0 { break }
      got += part
    }
    return got
  }
}

extension ByteStream {
  /// Reads from a place of a file, without moving on; a failed read counts as the end.
  fileprivate func readFile(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard failure == nil else { return 0 }
    do {
      return try catching { try descriptor.read(fromAbsoluteOffset: offset, into: buffer) }
    } catch {
      failure = error
      return 0
    }
  }
}

extension FileDescriptor {
  var canSeek: Bool { (try? seek(offset: 0, from: .current)) != nil }

  /// Opens a file or a pipe, without waiting for a writer of a named pipe: ``ByteStream`` waits for its bytes, and can
  /// be stopped.
  static func input(_ path: FilePath) throws(AudioInputError) -> FileDescriptor {
    let descriptor: FileDescriptor
    do {
      descriptor = try catching {
        try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
      }
    } catch {
      throw .cannotOpen(name: path.string, error)
    }
    // Reading would fail too, but with different errors on different file systems.
    guard !isFolder(descriptor) else {
      try? descriptor.close()
      throw .isFolder(name: path.string)
    }
    return descriptor
  }
}

private func isFolder(_ descriptor: FileDescriptor) -> Bool {
  var status = stat()
  return fstat(descriptor.rawValue, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
}

/// Rethrows errors of swift-system as `Errno`, the only type it throws, although its signatures do not say so.
func catching<Result>(_ body: () throws -> Result) throws(Errno) -> Result {
  do { return try body() } catch { throw error as? Errno ?? .ioError }
}

extension Array where Element == UInt8 {
  /// Returns the unsigned integer stored at `offset`.
  func integer<Value: FixedWidthInteger & UnsignedInteger>(
    at offset: Int, as type: Value.Type = Value.self, isBigEndian: Bool = false
  ) -> Value {
    let bytes = self[offset..<offset + MemoryLayout<Value>.size]
    let upperFirst = isBigEndian ? Array(bytes) : bytes.reversed()
    return upperFirst.reduce(0) { $0 << 8 | Value($1) }
  }
}
