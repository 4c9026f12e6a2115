/// A check whether an Ogg file ends correctly: with a whole page that is marked as the last of its stream.
///
/// Source: RFC 3533, section 6.
enum OggEnd {
  /// A page's header, its 255 segment lengths and 255 segments of 255 bytes.
  private static let longestPage: Int64 = 27 + 255 + 255 * 255

  /// Returns whether the last page is there; `nil` for files of other kinds.
  static func isThere(in file: ByteFile) -> Bool? {
    guard file.bytesOnDisk(at: 0, count: 4) == Array("OggS".utf8) else { return nil }
    let start = max(0, file.sizeOnDisk - longestPage)
    guard let tail = file.bytesOnDisk(at: start, count: Int(file.sizeOnDisk - start)) else {
      return false
    }
    let candidates = tail.indices.reversed().lazy.filter { tail[$0...].starts(with: "OggS".utf8) }
    return candidates.first.map { isLastPage(Array(tail[$0...])) } ?? false
  }

  /// Returns where the first pages of all streams end, which precede all other pages; 4 for files of other kinds.
  static func behindHeads(of file: ByteFile) -> Int64 {
    var offset: Int64 = 0
    for _ in 0..<WaveChunks.mostChunks {
      guard let header = file.bytesOnDisk(at: offset, count: 27), header.starts(with: "OggS".utf8),
        header[5] & 0x02 != 0,
        let segments = file.bytesOnDisk(at: offset + 27, count: Int(header[26]))
      else { break }
      offset += 27 + Int64(segments.count) + segments.reduce(0) { $0 + Int64($1) }
    }
    return max(4, offset)
  }

  private static func isLastPage(_ page: [UInt8]) -> Bool {
    guard page.count >= 27, page[5] & 0x04 != 0 else { return false }
    let segments = page[27...].prefix(Int(page[26]))
    return page.count >= 27 + segments.count + segments.reduce(0) { $0 + Int($1) }
      && segments.count == Int(page[26])
  }
}
