/// The pages of an Ogg file.
///
/// Source: RFC 3533, section 6.
enum OggPage {
  /// A page's header, its 255 segment lengths and 255 segments of 255 bytes.
  private static let longest: Int64 = 27 + 255 + 255 * 255

  /// Returns whether a file ends correctly: with a whole page that is marked as the last of its stream.
  static func endsFile(_ file: some HeaderBytes) -> Bool {
    let start = max(0, file.sizeOnDisk - longest)
    guard let tail = file.bytesOnDisk(at: start, count: Int(file.sizeOnDisk - start)) else {
      return false
    }
    let candidates = tail.indices.reversed().lazy.filter { tail[$0...].starts(with: "OggS".utf8) }
    guard let last = candidates.first, tail.count - last >= 27, tail[last + 5] & 0x04 != 0 else {
      return false
    }
    let offset = start + Int64(last)
    return length(in: file, at: offset).map { offset + $0 <= file.sizeOnDisk } ?? false
  }

  /// Returns whether the page at an offset is the first of its stream.
  static func isFirst(in file: some HeaderBytes, at offset: Int64) -> Bool {
    file.bytesOnDisk(at: offset + 5, count: 1).map { $0[0] & 0x02 != 0 } ?? false
  }

  /// Returns the length that the header of the page at an offset states; `nil` if no whole header is there.
  static func length(in file: some HeaderBytes, at offset: Int64) -> Int64? {
    guard let header = file.bytesOnDisk(at: offset, count: 27), header.starts(with: "OggS".utf8),
      let segments = file.bytesOnDisk(at: offset + 27, count: Int(header[26]))
    else { return nil }
    return 27 + Int64(segments.count) + segments.reduce(0) { $0 + Int64($1) }
  }

  /// Returns where the first pages of all streams end, which precede all other pages; 4 for files of other kinds.
  static func lengthOfHeads(of file: some HeaderBytes) -> Int64 {
    heads(of: file).last?.upperBound ?? 4
  }

  /// Returns the number of streams of sound that run side by side.
  static func soundStreamCount(of file: some HeaderBytes) -> Int {
    heads(of: file).count { head in
      guard let page = file.bytesOnDisk(at: head.lowerBound, count: Int(head.count)) else {
        return false
      }
      let packet = page.dropFirst(27 + Int(page[26]))
      return soundHeads.contains { packet.starts(with: $0) }
    }
  }

  /// How the first packets of Vorbis, Opus, FLAC and Speex begin.
  private static let soundHeads =
    ["\u{1}vorbis", "OpusHead", "\u{7F}FLAC", "Speex   "].map { Array($0.utf8) }

  /// Returns where the first pages of all streams lie.
  private static func heads(of file: some HeaderBytes) -> [Range<Int64>] {
    var heads: [Range<Int64>] = []
    var offset: Int64 = 0
    for _ in 0..<WaveChunks.mostChunks {
      guard let length = length(in: file, at: offset), isFirst(in: file, at: offset) else { break }
      heads.append(offset..<offset + length)
      offset += length
    }
    return heads
  }
}
