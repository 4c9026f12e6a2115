internal import SystemPackage

/// The bytes of a file as libsndfile is to see them: what is on disk, with a few bytes of the header
/// corrected on the way. The file itself is never written to.
///
/// Threads: one at a time.
final class ByteFile {
  /// Bytes that stand in for those on disk.
  struct Patch: Hashable {
    var offset: Int64
    var bytes: [UInt8]
  }

  let length: Int64
  var position: Int64 = 0
  var patches: [Patch] = []
  /// The first failed read; libsndfile itself takes it for the end of the file.
  private(set) var failure: Errno?
  private let descriptor: FileDescriptor

  /// Takes over `descriptor`, which can seek, and closes it in the end.
  init(_ descriptor: FileDescriptor) throws(Errno) {
    self.descriptor = descriptor
    length = try catching { try descriptor.seek(offset: 0, from: .end) }
  }

  deinit { try? descriptor.close() }

  /// Reads until `buffer` is full or the file ends; gives the bytes read.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    var count = 0
    do {
      while count < buffer.count {
        let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
        let part = try descriptor.read(fromAbsoluteOffset: position + Int64(count), into: rest)
        if part == 0 { break }
        count += part
      }
    } catch {
      failure = failure ?? (error as? Errno)
    }
    apply(patches, to: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
    position += Int64(count)
    return count
  }

  private func apply(_ patches: [Patch], to buffer: UnsafeMutableRawBufferPointer) {
    for patch in patches where patch.offset < position + Int64(buffer.count) {
      for (index, byte) in patch.bytes.enumerated() {
        let target = patch.offset + Int64(index) - position
        if 0..<Int64(buffer.count) ~= target { buffer[Int(target)] = byte }
      }
    }
  }
}

/// swift-system throws nothing but `Errno`, but does not say so in its types.
func catching<Result>(_ body: () throws -> Result) throws(Errno) -> Result {
  do { return try body() } catch { throw error as? Errno ?? .ioError }
}
