internal import SystemPackage

/// The bytes of a file as libsndfile is to see them: some bytes of our own in front, such as a
/// corrected header, and behind them a stretch of what is on disk. The file is never written to.
///
/// Threads: one at a time.
final class ByteFile: SoundBytes {
  /// Bytes on disk.
  let sizeOnDisk: Int64
  /// The first failed read; libsndfile itself takes it for the end of the file.
  private(set) var failure: Errno?

  /// Our own bytes.
  private var prefix: [UInt8] = []
  /// What follows them, as offsets on disk.
  private var body: Range<Int64>
  /// Bytes that are pretended, beyond what can be read.
  private var pretended: Int64 = 0
  var offset: Int64 = 0
  private let descriptor: FileDescriptor

  /// Shows all of a file that can seek. Takes over `descriptor` and closes it in the end.
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

  /// From now on shows `prefix` and then `body` of what is on disk, from the beginning.
  ///
  /// `pretended` bytes more count in the length: reading on into them finds the end, as if the file
  /// had been cut off, but whoever seeks beyond that end reads zeros.
  func show(prefix: [UInt8] = [], body: Range<Int64>, pretended: Int64 = 0) {
    self.prefix = prefix
    self.body = body.clamped(to: 0..<sizeOnDisk)
    self.pretended = pretended
    offset = 0
  }

  /// The bytes at an offset on disk; `nil` if the file has not that many.
  func bytesOnDisk(at offset: Int64, count: Int) -> [UInt8]? {
    guard offset >= 0, count >= 0, offset <= sizeOnDisk - Int64(count) else { return nil }
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      initialized = readDisk(at: offset, into: UnsafeMutableRawBufferPointer(buffer))
    }
    return bytes.count == count ? bytes : nil
  }

  /// Reads on disk until `buffer` is full, the file ends or reading fails.
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

// MARK: - What libsndfile asks for

extension ByteFile {
  /// Bytes that libsndfile counts on.
  var length: Int64 { realLength + pretended }

  enum Origin { case start, current, end }

  private var realLength: Int64 { Int64(prefix.count) + Int64(body.count) }

  /// Reads until `buffer` is full or the end is reached; gives the bytes read.
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

// MARK: - What is behind

extension ByteFile {
  /// More than a decoder reads ahead.
  private static let mostReadAhead: Int64 = 1 << 16
  /// How far is looked: recorders put some pictures and notes behind the sound, too.
  private static let searchLength: Int64 = 1 << 24

  func nextContainer() -> AudioContainer? {
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

  /// Where what is shown ends, or else near where reading has come to.
  private var searchStart: Int64 {
    if body.upperBound < sizeOnDisk { return body.upperBound }
    let reached = body.lowerBound + max(0, offset - Int64(prefix.count))
    return max(OggEnd.behindHeads(of: self), min(reached, sizeOnDisk) - Self.mostReadAhead)
  }
}

/// swift-system throws nothing but `Errno`, but does not say so in its types.
func catching<Result>(_ body: () throws -> Result) throws(Errno) -> Result {
  do { return try body() } catch { throw error as? Errno ?? .ioError }
}
