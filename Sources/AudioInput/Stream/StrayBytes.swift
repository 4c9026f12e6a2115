/// A count of the bytes behind the sound of a stream that belong to no whole chunk, as
/// ``WaveChunks/strayByteCount()`` counts them in a file.
struct StrayBytes {
  private let trailer: Trailer
  /// The first bytes of what may be a chunk, up to 8.
  private var head: [UInt8] = []
  /// How many bytes of the current chunk, with its padding, are still to come, and how many have come, with its head.
  private var (left, taken): (Int, Int)
  /// The bytes from the first on that begin no chunk.
  private var stray = 0

  /// `count` bytes belong to the sound or are its padding.
  init(_ trailer: Trailer, behind count: Int) {
    self.trailer = trailer
    (left, taken) = (count, 0)
  }

  /// The count at the end of the stream. The last padding byte may be missing.
  var count: Int { left > 1 ? taken : stray + head.count }

  mutating func look(at bytes: ArraySlice<UInt8>) {
    guard case .chunks(let isBigEndian) = trailer else { return }
    var rest = bytes
    while !rest.isEmpty {
      guard stray == 0 else {
        stray += rest.count
        return
      }
      let skipped = min(left, rest.count)
      (left, taken) = (left - skipped, taken + skipped)
      rest = rest.dropFirst(skipped)
      let part = rest.prefix(WaveChunk.headLength - head.count)
      head += part
      rest = rest.dropFirst(part.count)
      if head.count == WaveChunk.headLength { beginChunk(isBigEndian) }
    }
  }

  private mutating func beginChunk(_ isBigEndian: Bool) {
    if let chunk = WaveChunk(head: head, at: 0, isBigEndian: isBigEndian) {
      (left, taken) = (Int(chunk.size) + Int(chunk.size % 2), head.count)
    } else {
      stray = head.count
    }
    head = []
  }
}
