/// ASF, the container of WMA.
///
/// Source: "Advanced Systems Format" 1.2.
extension AudioFormat {
  static let asf = AudioFormat(
    name: "WMA", endings: ["wma", "asf"],
    recognise: heads([0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11], count: .anywhere),
    demuxers: ["asf", "asf_o"], unit: object)

  /// An ID of 16 bytes and a size of 8 bytes, which includes both. A live writer leaves the size of the data 0.
  @Sendable private static func object(_ file: Region, _ offset: Int64) -> Int64? {
    guard let head = file.bytes(at: offset, count: 24) else { return nil }
    let size: UInt64 = head.integer(at: 16)
    return size < 24 ? nil : Int64(exactly: size)
  }
}
