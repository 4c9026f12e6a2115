/// Whether an Ogg file ends as it should: with a whole page that is marked as the last of its stream.
///
/// Source: RFC 3533, section 6.
enum OggEnd {
  /// A page's header, its 255 segment lengths and 255 segments of 255 bytes.
  private static let longestPage: Int64 = 27 + 255 + 255 * 255

  /// `nil` for other files.
  static func isThere(in file: ByteFile) -> Bool? {
    guard file.bytesOnDisk(at: 0, count: 4) == Array("OggS".utf8) else { return nil }
    let start = max(0, file.sizeOnDisk - longestPage)
    guard let tail = file.bytesOnDisk(at: start, count: Int(file.sizeOnDisk - start)) else {
      return false
    }
    let candidates = tail.indices.reversed().lazy.filter { tail[$0...].starts(with: "OggS".utf8) }
    return candidates.first.map { isLastPage(Array(tail[$0...])) } ?? false
  }

  private static func isLastPage(_ page: [UInt8]) -> Bool {
    guard page.count >= 27, page[5] & 0x04 != 0 else { return false }
    let segments = page[27...].prefix(Int(page[26]))
    return page.count >= 27 + segments.count + segments.reduce(0) { $0 + Int($1) }
      && segments.count == Int(page[26])
  }
}
