/// VOC.
///
/// Source: "Creative Labs Audio File Format".
extension AudioFormat {
  static let voc = AudioFormat(
    name: "VOC", endings: ["voc"], certainHeads: ["Creative Voice File\u{1A}"],
    decoder: .libsndfile, flaws: { Flaws(isForFFmpeg: goesOn($0)) }, demuxers: ["voc"], unit: block,
    isTornSilently: true)

  /// Returns whether more blocks follow the first sound. libsndfile would read them as sound, with their heads.
  @Sendable private static func goesOn(_ file: Region) -> Bool {
    var offset: Int64 = 0
    while let length = block(file, offset), length < file.count - offset {
      let type = offset == 0 ? [] : file.upTo(1, at: offset)
      offset += length
      if type == [1] || type == [9] { return file.upTo(1, at: offset) != [0] }
    }
    return false
  }

  /// A head that states its own length, and blocks, each with a type and a size of 24 bits. Type 0 ends the recording,
  /// without a size.
  @Sendable private static func block(_ file: Region, _ offset: Int64) -> Int64? {
    if offset == 0 { return file.fields(at: 20, count: 2).map { Int64($0.u16(0)) } }
    if file.upTo(1, at: offset) == [0] {
      // Of several zeros, only the first is a block.
      return isEnd(file, offset) && file.upTo(2, at: offset - 1) != [0, 0] ? 1 : nil
    }
    guard let head = file.fields(at: offset, count: 4) else { return 4 }
    let (type, size) = (head.u32(0) & 0xFF, head.u32(0) >> 8)
    guard 1...9 ~= type, size > 0, size < 0xFF_FFFF else { return nil }
    let length = 4 + Int64(size)
    let isBySox = type == 9 && file.upTo(2, at: 22) == [10, 1]
    return isBySox ? lengthBySox(file, offset, stated: length) : length
  }

  /// sox writes all sound into one block of type 9, states 8 bytes too few, and drops what exceeds 24 bits. It claims
  /// version 1.10, which has no such type. The block ends where type 0 and the end of the file or a recording follow.
  private static func lengthBySox(_ file: Region, _ offset: Int64, stated: Int64) -> Int64 {
    let rest = file.count - offset
    let candidates = stride(from: stated + 8, to: rest, by: 1 << 24) + [stated]
    return candidates.first { isEnd(file, offset + $0) } ?? .max
  }

  /// Returns whether type 0 stands at an offset, and the end of the file, a tag or a recording behind it.
  private static func isEnd(_ file: Region, _ offset: Int64) -> Bool {
    let behind = offset + 1
    return file.upTo(1, at: offset) == [0]
      && (behind == file.count || Tag.length(file, at: behind) != nil
        || RecordingEnd.next(in: file, from: behind) != nil)
  }
}
