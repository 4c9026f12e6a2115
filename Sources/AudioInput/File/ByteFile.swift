internal import SystemPackage

/// The bytes of a file as libsndfile shall see them: some bytes of our own first, such as a corrected header, and then
/// a range of what is on disk. The file itself is never written.
///
/// Threads: one at a time.
final class ByteFile: SoundBytes {
  /// The number of bytes on disk.
  let sizeOnDisk: Int64
  /// The error of the first failed read, which libsndfile takes for the end of the file.
  private(set) var failure: Errno?

  /// The bytes of our own.
  private var prefix: [UInt8] = []
  /// The offsets on disk of the bytes after `prefix`.
  private var body: Range<Int64>
  /// The number of pretended bytes after those that can be read.
  private var pretended: Int64 = 0
  var offset: Int64 = 0
  var trailer = Trailer.anything
  private let descriptor: FileDescriptor

  /// Shows all of a seekable file. Takes over `descriptor` and closes it at the end.
  init(_ descriptor: FileDescriptor) throws(Errno) {
    do {
      sizeOnDisk = try Self.size(of: descriptor)
    } catch {
      try? descriptor.close()
      throw error
    }
    self.descriptor = descriptor
    body = 0..<sizeOnDisk
  }

  private static func size(of descriptor: FileDescriptor) throws(Errno) -> Int64 {
    try catching { try descriptor.seek(offset: 0, from: .end) }
  }

  deinit { try? descriptor.close() }

  /// Shows `prefix` and then `body` of what is on disk from now on, and moves to the beginning.
  ///
  /// The length includes `pretended` further bytes. A read that reaches them finds the end, as if the file had been cut
  /// off there. A read after a seek beyond that end returns zeros.
  func show(prefix: [UInt8] = [], body: Range<Int64>, pretended: Int64 = 0) {
    self.prefix = prefix
    self.body = body.clamped(to: 0..<sizeOnDisk)
    self.pretended = pretended
    offset = 0
  }

  /// Returns the bytes at an offset on disk, or `nil` if the file is too short.
  func bytesOnDisk(at offset: Int64, count: Int) -> [UInt8]? {
    guard offset >= 0, count >= 0, offset <= sizeOnDisk - Int64(count) else { return nil }
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      initialized = readDisk(at: offset, into: UnsafeMutableRawBufferPointer(buffer))
    }
    return bytes.count == count ? bytes : nil
  }

  /// Reads from disk until `buffer` is full, the file ends or reading fails.
  private func readDisk(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    var count = 0
    do {
      while count < buffer.count {
        let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
        let part = try descriptor.read(fromAbsoluteOffset: offset + Int64(count), into: rest)
        if part == 0 { break }
        count += part
      }
    } catch {
      failure = failure ?? (error as? Errno)
    }
    return count
  }
}

// MARK: - Calls from libsndfile

extension ByteFile {
  /// The number of bytes that libsndfile expects.
  var length: Int64 { realLength + pretended }

  enum Origin { case start, current, end }

  private var realLength: Int64 { Int64(prefix.count) + Int64(body.count) }

  /// Reads until `buffer` is full or the end is reached. Returns the number of bytes read.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    var count = 0
    if offset < prefix.count {
      let own = prefix[Int(offset)...].prefix(buffer.count)
      buffer.copyBytes(from: own)
      count = own.count
    }
    let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
    count += offset > realLength ? pretend(rest) : readBody(rest)
    offset += Int64(count)
    return count
  }

  private func readBody(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    let start = body.lowerBound + max(0, offset - Int64(prefix.count))
    let count = min(Int64(buffer.count), max(0, body.upperBound - start))
    return readDisk(at: start, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<Int(count)]))
  }

  private func pretend(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count = Int(min(Int64(buffer.count), max(0, length - offset)))
    buffer[..<count].initializeMemory(as: UInt8.self, repeating: 0)
    return count
  }
}

// MARK: - After the recording

extension ByteFile {
  /// More than a decoder reads ahead.
  private static let mostReadAhead: Int64 = 1 << 16
  /// How far to search; some recorders put pictures and notes after the sound.
  private static let searchLength: Int64 = 1 << 24

  var sound: (promised: Int64, missing: Int64)? { nil }

  func unreadRest() -> AudioInputWarning? {
    if let next = nextContainer() { return .followed(by: next.name) }
    guard case .chunks(let isBigEndian) = trailer else { return nil }
    let start = body.upperBound + Int64(body.count % 2)
    let stray = WaveChunks(of: self, isBigEndian: isBigEndian, from: start).strayByteCount()
    return stray > 1 ? .unread(bytes: UInt64(stray)) : nil
  }

  private func nextContainer() -> AudioContainer? {
    if body.upperBound < sizeOnDisk, let next = AudioContainer(self, at: body.upperBound) {
      return next
    }
    var search = HeadSearch()
    let start = searchStart
    let end = min(sizeOnDisk, start + Self.searchLength)
    var offset = start
    while offset < end, search.found == nil {
      let count = Int(min(1 << 16, end - offset))
      guard let bytes = bytesOnDisk(at: offset, count: count) else { break }
      search.look(at: bytes[...])
      offset += Int64(count)
    }
    return search.found
  }

  /// Where the part shown to libsndfile ends, or else a place near the one that reading has reached.
  private var searchStart: Int64 {
    if body.upperBound < sizeOnDisk { return body.upperBound }
    let reached = body.lowerBound + max(0, offset - Int64(prefix.count))
    return max(OggPage.lengthOfHeads(of: self), min(reached, sizeOnDisk) - Self.mostReadAhead)
  }
}

/// Rethrows errors of swift-system as `Errno`, the only type it throws, although its signatures do not say so.
func catching<Result>(_ body: () throws -> Result) throws(Errno) -> Result {
  do { return try body() } catch { throw error as? Errno ?? .ioError }
}
