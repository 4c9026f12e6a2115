/// ASF, the container of WMA.
///
/// Source: "Advanced Systems Format" 1.2.
extension AudioFormat {
  /// A live writer leaves the size of the data 0.
  static let asf = AudioFormat(
    name: "WMA", endings: ["wma", "asf"],
    certainHeads: ["0&\u{B2}u\u{8E}f\u{CF}\u{11}"], demuxers: ["asf", "asf_o"],
    chunks: ChunkForm(first: 0, nameLength: 16, sizeLength: 8, includesHead: true, isNamed: false))
}
