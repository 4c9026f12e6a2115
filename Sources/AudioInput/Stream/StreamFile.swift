internal import SystemPackage

/// The bytes that libsndfile reads and takes for a file.
protocol SoundBytes: AnyObject {
  /// The number of bytes that libsndfile expects.
  var length: Int64 { get }
  /// Where the next read begins. It may lie beyond the end.
  var offset: Int64 { get set }
  /// The error of the first failed read, which libsndfile takes for the end of the file.
  var failure: Errno? { get }
  /// Reads until `buffer` is full or the end is reached. Returns the number of bytes read.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int
  /// What the format allows behind the sound.
  var trailer: Trailer { get set }
  /// The number of bytes of sound that a stream's header promises, and how many of them have not come; `nil` if the
  /// header does not state it, and for a file, which is judged when it is opened.
  var sound: (promised: Int64, missing: Int64)? { get }
  /// Returns a warning about what follows this recording and is not read: another recording, or bytes that ``trailer``
  /// does not allow. Call it once, at the end. It reads a stream to its end.
  func unreadRest() -> AudioInputWarning?
}

/// What a format allows behind the sound.
enum Trailer: Hashable {
  /// Tags, pictures and other things that have no common form.
  case anything
  /// Only chunks, as in WAV.
  case chunks(isBigEndian: Bool)
}

extension SoundBytes {
  /// Moves, even beyond the end. Returns `nil` and does not move if the target lies before the start.
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

/// A stream as libsndfile shall see it: some bytes at the front that can be read again, and then what arrives, once and
/// in order. Memory does not grow with the length.
///
/// Threads: one at a time; any thread may stop the stream.
final class StreamFile: SoundBytes {
  let stream: ByteStream
  let length: Int64
  private(set) var failure: Errno?
  var offset: Int64 = 0
  var trailer = Trailer.anything

  /// The bytes that can be read again.
  private var kept: [UInt8]
  /// How many bytes of the start are kept, including those that have not arrived yet.
  private let keptCount: Int
  /// The stream's offset in what libsndfile sees.
  private var front: Int64
  /// Whether a read may return fewer bytes than requested.
  private let givesParts: Bool
  /// The number of bytes of sound that the header promises, if it is known.
  private let soundCount: Int64?
  /// The last bytes read, kept where libsndfile may read beyond the end of the sound.
  private var recent: [UInt8] = []

  /// More than libFLAC reads ahead.
  private static let mostRead = 1 << 16

  /// Shows a whole stream whose format is read from front to back, except for its first bytes.
  init(_ stream: ByteStream) {
    (self.stream, length) = (stream, .max / 4)
    (kept, keptCount, front) = ([], 1 << 16, 0)
    (givesParts, soundCount) = (true, nil)
  }

  /// Shows a header of our own, followed by `count` bytes of the stream.
  init(_ stream: ByteStream, behind header: [UInt8], count: Int64) {
    (self.stream, length) = (stream, Int64(header.count) + count)
    (kept, keptCount, front) = (header, header.count + (1 << 16), Int64(header.count))
    (givesParts, soundCount) = (false, count)
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

  /// Reads what comes next. Returns 0 at the end, and at any offset that the stream has not reached.
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

  var sound: (promised: Int64, missing: Int64)? {
    soundCount.map { ($0, length - front) }
  }

  func unreadRest() -> AudioInputWarning? {
    // Exactly at the end, formats count whose heads also occur in sound.
    var found = front == length ? try? AudioContainer(stream) : nil
    var search = HeadSearch()
    // libsndfile leaves out a part of a frame, and the sound is padded to an even length.
    let left = soundCount.map { length - front + $0 % 2 } ?? 0
    var stray = StrayBytes(trailer, behind: Int(clamping: left))
    // Leaves out the head of this recording, which would match.
    search.look(at: front == recent.count ? recent.dropFirst(4) : recent[...])
    stream.drain {
      search.look(at: $0)
      stray.look(at: $0)
    }
    found = found ?? search.found
    return found.map { .followed(by: $0.name) }
      ?? (stray.count > 1 ? .unread(bytes: UInt64(stray.count)) : nil)
  }
}

extension ByteStream {
  /// Reads what is left, so that its writer can finish.
  fileprivate func drain(_ visit: (ArraySlice<UInt8>) -> Void) {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while let count = try? buffer.withUnsafeMutableBytes({ try read(into: $0) }), count > 0 {
      visit(buffer[..<count])
    }
  }
}
