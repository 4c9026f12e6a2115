/// MP4, with M4A, MOV and 3GP.
///
/// Source: ISO/IEC 14496-12.
extension AudioFormat {
  static let mp4 = AudioFormat(
    name: "MP4", endings: ["m4a", "m4b", "mp4", "m4v", "mov", "3gp", "3g2"], recognise: isMP4,
    demuxers: ["mov"], unit: box)

  /// The brands of files that hold pictures.
  private static let pictureBrands: Set = [
    "heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1", "avif", "avis", "crx ",
  ]

  /// A head is shorter than 64 KiB.
  @Sendable private static func isMP4(_ head: [UInt8]) -> Certainty {
    guard head.count >= 12, head.has("ftyp", at: 4),
      !pictureBrands.contains(String(decoding: head[8..<12], as: UTF8.self))
    else { return .no }
    return head[0] == 0 && head[1] == 0 ? .anywhere : .atStart
  }

  /// A size of 32 bits and a type. Size 1 announces 64 bits behind the type; size 0 means "to the end".
  @Sendable private static func box(_ file: Region, _ offset: Int64) -> Int64? {
    guard let head = file.bytes(at: offset, count: 8),
      head[4...].allSatisfy({ 0x20...0x7E ~= $0 || $0 == 0xA9 })
    else { return nil }
    let size: UInt32 = head.integer(at: 0, isBigEndian: true)
    guard size == 1 else { return size < 8 ? nil : Int64(size) }
    let long = file.bytes(at: offset + 8, count: 8).map { bytes in
      bytes.integer(at: 0, as: UInt64.self, isBigEndian: true)
    }
    return long.flatMap { Int64(exactly: $0) }
  }
}
