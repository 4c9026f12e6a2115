/// One chunk of a RIFF file.
struct WaveChunk: Hashable {
  /// The name: four printable characters, for example "fmt ".
  var name: String
  /// The offset on disk of the content, after the 8 bytes of name and size.
  var start: Int64
  /// The size that the chunk's header claims.
  var size: UInt32

  /// The number of bytes of name and size.
  static let headLength = 8

  /// Reads the head of a chunk, which begins at `offset`. Returns `nil` if no chunk begins so.
  init?(head: [UInt8], at offset: Int64, isBigEndian: Bool) {
    guard head.count == Self.headLength, head[..<4].allSatisfy({ 0x20...0x7E ~= $0 }) else {
      return nil
    }
    name = String(decoding: head[..<4], as: UTF8.self)
    start = offset + Int64(Self.headLength)
    size = head.integer(at: 4, isBigEndian: isBigEndian)
  }
}

/// A sequence of the chunks of a RIFF file, from header to header.
///
/// "Multimedia Programming Interface and Data Specifications 1.0", IBM and Microsoft, 1991: a chunk of odd size is
/// followed by one padding byte. Some writers leave it out. Where no chunk begins after the padding, the sequence
/// therefore accepts one that begins in the padding's place.
struct WaveChunks: Sequence, IteratorProtocol {
  let file: any HeaderBytes
  let isBigEndian: Bool
  /// Where the next chunk begins if the previous one is padded.
  var offset: Int64
  private var previousWasOdd = false

  /// How many chunks are examined before the file is rejected; real files have a dozen.
  static let mostChunks = 1000

  init(of file: any HeaderBytes, isBigEndian: Bool, from offset: Int64) {
    self.file = file
    self.isBigEndian = isBigEndian
    self.offset = offset
  }

  /// Returns the next chunk, or `nil` where none begins. Its content may extend beyond the end of the file.
  mutating func next() -> WaveChunk? {
    let unpadded = previousWasOdd ? chunk(at: offset - 1) : nil
    guard let chunk = chunk(at: offset) ?? unpadded else { return nil }
    previousWasOdd = chunk.size % 2 == 1
    offset = chunk.start + Int64(chunk.size) + (previousWasOdd ? 1 : 0)
    return chunk
  }

  private func chunk(at offset: Int64) -> WaveChunk? {
    file.bytesOnDisk(at: offset, count: WaveChunk.headLength).flatMap { head in
      WaveChunk(head: head, at: offset, isBigEndian: isBigEndian)
    }
  }

  /// Returns whether only whole chunks follow, up to the end of the file.
  func fillTheFile() -> Bool { offset < file.sizeOnDisk && strayByteCount() == 0 }

  /// Returns how many bytes at the end of the file belong to no whole chunk.
  func strayByteCount() -> Int64 {
    var rest = self
    for _ in 0..<Self.mostChunks {
      let start = rest.offset
      guard rest.next() != nil else { break }
      // The last padding byte may be missing.
      if rest.offset > file.sizeOnDisk + 1 { return file.sizeOnDisk - start }
    }
    return rest.offset < file.sizeOnDisk ? file.sizeOnDisk - rest.offset : 0
  }
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
