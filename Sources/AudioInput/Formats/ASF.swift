/// ASF, the container of WMA.
///
/// Source: "Advanced Systems Format" 1.2.
extension AudioFormat {
  static let asf = AudioFormat(
    name: "WMA", endings: ["wma", "asf"],
    certainHeads: ["0&\u{B2}u\u{8E}f\u{CF}\u{11}"], demuxers: ["asf", "asf_o"],
    unit: objects.units(behind: 0))

  /// A live writer leaves the size of the data 0.
  private static let objects = ChunkForm(
    nameLength: 16, sizeLength: 8, includesHead: true, isNamed: false)
}
