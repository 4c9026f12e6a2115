internal import SystemPackage

/// What libsndfile reads: bytes that it thinks of as a file.
protocol SoundBytes: AnyObject {
  /// Bytes that libsndfile counts on.
  var length: Int64 { get }
  /// Where the next read begins; it may lie beyond the end.
  var offset: Int64 { get set }
  /// The first failed read; libsndfile itself takes it for the end of the file.
  var failure: Errno? { get }
  /// Reads until `buffer` is full or the end is reached; gives the bytes read.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int
  /// The recording that begins behind the end of this one, if there is one. Ask at the end, once; a stream is read to
  /// its end then.
  func nextContainer() -> AudioContainer?
}

extension SoundBytes {
  /// Moves, also beyond the end; `nil` and no move if that would be before the start.
  func seek(_ offset: Int64, from origin: ByteFile.Origin) -> Int64? {
    let base =
      switch origin {
      case .start: Int64(0)
      case .current: self.offset
      case .end: length
      }
    let (target, overflow) = base.addingReportingOverflow(offset)
    guard !overflow, target >= 0 else { return nil }
    self.offset = target
    return target
  }
}

/// A stream as libsndfile is to see it: some bytes in front that can be read again, and behind them what comes, once and
/// in order. Memory does not grow with the length.
///
/// Threads: one at a time; any may stop the stream.
final class StreamFile: SoundBytes {
  let stream: ByteStream
  let length: Int64
  private(set) var failure: Errno?
  var offset: Int64 = 0

  /// What can be read again.
  private var kept: [UInt8]
  /// Bytes of the start that are kept, those that are not there yet included.
  private let keptCount: Int
  /// Where the stream is, in what libsndfile sees.
  private var front: Int64
  /// A read may be answered with less than was asked for.
  private let givesParts: Bool
  /// The last bytes that were read where libsndfile may read beyond the end of the sound.
  private var recent: [UInt8] = []

  /// More than libFLAC reads ahead.
  private static let mostRead = 1 << 16

  /// All of a stream whose format is read from front to back, but for its first bytes.
  init(_ stream: ByteStream) {
    (self.stream, length) = (stream, .max / 4)
    (kept, keptCount, front) = ([], 1 << 16, 0)
    givesParts = true
  }

  /// A header of our own, and `count` bytes of the stream behind it.
  init(_ stream: ByteStream, behind header: [UInt8], count: Int64) {
    (self.stream, length) = (stream, Int64(header.count) + count)
    (kept, keptCount, front) = (header, header.count + (1 << 16), Int64(header.count))
    givesParts = false
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    var count = readKept(into: buffer)
    while count < buffer.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
      let part = readOn(into: rest)
      count += part
      if part == 0 || givesParts { break }
    }
    return count
  }

  private func readKept(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard offset < kept.count else { return 0 }
    let bytes = kept[Int(offset)...].prefix(buffer.count)
    buffer.copyBytes(from: bytes)
    offset += Int64(bytes.count)
    return bytes.count
  }

  /// What comes next; 0 at the end, and wherever the stream is not.
  private func readOn(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let room = Int(min(Int64(buffer.count), max(0, length - offset)))
    guard room > 0, failure == nil else { return 0 }
    guard offset == front else {
      if offset < front { failure = .illegalSeek }
      return 0
    }
    do {
      let count = try stream.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<room]))
      if kept.count < keptCount { kept += buffer[..<count].prefix(keptCount - kept.count) }
      if givesParts { keep(buffer[..<count]) }
      front += Int64(count)
      offset = front
      return count
    } catch {
      failure = error
      return 0
    }
  }
}

extension StreamFile {
  private func keep(_ bytes: Slice<UnsafeMutableRawBufferPointer>) {
    recent += bytes
    if recent.count > 2 * Self.mostRead { recent.removeFirst(recent.count - Self.mostRead) }
  }

  func nextContainer() -> AudioContainer? {
    var search = HeadSearch()
    // The head of this recording is none of another.
    search.look(at: front == recent.count ? recent.dropFirst(4) : recent[...])
    stream.drain { search.look(at: $0) }
    return search.found
  }
}

extension ByteStream {
  /// Reads what is left, so that whoever writes it can finish.
  fileprivate func drain(_ visit: (ArraySlice<UInt8>) -> Void) {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while let count = try? buffer.withUnsafeMutableBytes({ try read(into: $0) }), count > 0 {
      visit(buffer[..<count])
    }
  }
}
