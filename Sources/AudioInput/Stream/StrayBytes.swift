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
      let part = rest.prefix(8 - head.count)
      head += part
      rest = rest.dropFirst(part.count)
      if head.count == 8 { beginChunk(isBigEndian) }
    }
  }

  private mutating func beginChunk(_ isBigEndian: Bool) {
    if head[..<4].allSatisfy({ 0x20...0x7E ~= $0 }) {
      let size = Int(head.integer(at: 4, as: UInt32.self, isBigEndian: isBigEndian))
      (left, taken) = (size + size % 2, 8)
    } else {
      stray = 8
    }
    head = []
  }
}
