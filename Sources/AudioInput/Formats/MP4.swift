/// MP4, with M4A, MOV and 3GP.
///
/// Source: ISO/IEC 14496-12.
extension AudioFormat {
  /// The first box is shorter than 64 KiB. Early MOVs begin with another one, of which a short name says too little
  /// anywhere.
  static let mp4 = AudioFormat(
    name: "MP4", endings: ["m4a", "m4b", "mp4", "m4v", "mov", "3gp", "3g2"],
    heads: [
      "\0\0\0?free", "\0\0\0?skip", "\0\0\0?wide", "\0???moov????mvhd", "\0???mdat",
      "\0\0\0\u{1}mdat",
    ],
    certainHeads: [
      Head("\0\0??ftyp????") { head in
        !pictureBrands.contains(String(decoding: head[8..<12], as: UTF8.self))
      }
    ],
    demuxers: ["mov"], unit: box)

  /// The brands of files that hold pictures.
  private static let pictureBrands: Set = [
    "heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1", "avif", "avis", "crx ",
  ]

  /// A size of 32 bits and a type. Size 1 announces 64 bits behind the type; size 0 means "to the end".
  @Sendable private static func box(_ file: Region, _ offset: Int64) -> Int64? {
    guard let head = file.fields(at: offset, count: 8, isBigEndian: true),
      head.bytes[4...].allSatisfy({ 0x20...0x7E ~= $0 || $0 == 0xA9 })
    else { return nil }
    if head.u32(0) != 1 { return head.u32(0) < 8 ? nil : Int64(head.u32(0)) }
    return file.fields(at: offset + 8, count: 8, isBigEndian: true).flatMap {
      Int64(exactly: $0.u64(0))
    }
  }
}
