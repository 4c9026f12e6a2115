/// Tags that may stand before and behind a recording of any format, and between two.
///
/// Sources: id3.org, "ID3 tag version 2.4.0" and "ID3v1"; "APEv2 specification"; "Lyrics3" and "Lyrics3 v2".
enum Tag {
  /// Returns the length of the tag that begins at an offset; `nil` if none does. It may reach beyond the end.
  static func length(_ region: Region, at offset: Int64) -> Int64? {
    let head = region.upTo(32, at: offset)
    switch head.first {
    case UInt8(ascii: "I"): return id3Length(head)
    case UInt8(ascii: "A"):
      // A size is believed where the footer confirms it.
      let length = apeLength(head)
      let footer = length.map { region.upTo(8, at: offset + $0 - 32) }
      let isFarInPipe = region.end == nil && length.map { $0 > Region.longestHead } ?? false
      return isFarInPipe || footer == Array("APETAGEX".utf8) ? length : length.map { _ in 32 }
    case UInt8(ascii: "L") where head.has("LYRICSBEGIN", at: 0):
      return ["LYRICS200", "LYRICSEND"].compactMap { region.search($0, from: offset) }.min()
        .map { $0 + 9 - offset }
    // The last 128 bytes of a file, and in front of them the longer form.
    case UInt8(ascii: "T") where head.has("TAG", at: 0):
      return [128, 227].first { length in
        let behind = offset + length
        return region.upTo(3, at: behind) == Array("TAG".utf8)
          || AudioFormat(of: region, at: behind) != nil || Self.length(region, at: behind) != nil
          || region.upTo(4, at: behind).allSatisfy { $0 == 0 }
      }
    default: return nil
    }
  }

  /// Searches for the head of a tag of ID3v2.
  static func search(_ bytes: ArraySlice<UInt8>) -> Int? {
    bytes.indices.first { place in
      bytes[place] == UInt8(ascii: "I") && id3Length(Array(bytes[place...].prefix(10))) != nil
    }
  }

  /// A version of two bytes, flags, and four bytes of 7 bits. A chunk named `ID3 ` begins like a tag of version 32.
  private static func id3Length(_ head: [UInt8]) -> Int64? {
    guard head.count >= 10, head.has("ID3", at: 0), 2...4 ~= head[3], head[4] < 0xFF,
      head[6..<10].allSatisfy({ $0 < 0x80 })
    else { return nil }
    let footer: Int64 = head[3] == 4 && head[5] & 0x10 != 0 ? 10 : 0
    return 10 + footer + head[6..<10].reduce(0) { $0 << 7 | Int64($1) }
  }

  /// The size counts the footer and not the header. A footer without a header ends a tag instead.
  private static func apeLength(_ head: [UInt8]) -> Int64? {
    guard head.count >= 32, head.has("APETAGEX", at: 0) else { return nil }
    let isHeader = head[23] & 0x20 != 0
    return 32 + (isHeader ? Int64(head.integer(at: 12, as: UInt32.self)) : 0)
  }

  /// Returns where the tags at the end of a file begin.
  static func trailing(_ region: Region) -> Int64 {
    var end = region.count
    while let length = lengthOfLast(region, before: end), length <= end,
      mayBegin(region.upTo(32, at: end - length))
    {
      end -= length
    }
    return end
  }

  /// Returns whether a tag may begin so: with its name or, in the first version of APE, with the size of an item, flags
  /// and the item's name. A wrong length must not cut off sound.
  private static func mayBegin(_ head: [UInt8]) -> Bool {
    ["APETAGEX", "ID3", "LYRICSBEGIN", "TAG"].contains { head.starts(with: $0.utf8) }
      || head.count > 8 && head[3] == 0 && head[4..<8].allSatisfy { $0 == 0 }
        && 0x20...0x7E ~= head[8]
  }

  private static func lengthOfLast(_ region: Region, before end: Int64) -> Int64? {
    if region.upTo(3, at: end - 128) == Array("TAG".utf8) {
      return region.upTo(4, at: end - 355) == Array("TAG+".utf8) ? 355 : 128
    }
    guard let foot = region.fields(at: end - 32, count: 32)?.bytes else { return nil }
    if foot.has("APETAGEX", at: 0), foot[23] & 0x20 == 0 {
      return Int64(foot.integer(at: 12, as: UInt32.self)) + (foot[23] & 0x80 != 0 ? 32 : 0)
    }
    // A footer of ID3v2 is a header with the name backwards.
    if foot.has("3DI", at: 22) { return id3Length(Array("ID3".utf8) + foot[25...]) }
    if foot.has("LYRICSEND", at: 23) {
      // The first version does not state its length, which is at most 5120.
      return region.search("LYRICSBEGIN", from: max(0, end - 5120)).map { end - $0 }
    }
    guard foot.has("LYRICS200", at: 23) else { return nil }
    return Int64(String(decoding: foot[17..<23], as: UTF8.self)).map { $0 + 15 }
  }
}
