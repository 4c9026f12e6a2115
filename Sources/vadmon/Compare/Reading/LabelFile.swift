import SystemPackage

/// One file of labels or frames, whose first line says of what kind it is.
enum LabelFile {
  /// Files that a folder is searched for; a file that is named may be called anything.
  static let endings: Set = ["txt", "rttm", "csv"]

  /// The recordings that it tells of. An empty file is one recording without speech.
  ///
  /// `isInFolder`: a file that tells of one recording only is called what the recording is called.
  static func read(
    _ path: FilePath, isInFolder: Bool
  ) throws(RunError) -> [(name: String, track: LabelTrack)] {
    let bytes = try path.contents()
    let name = RTTMFormat.fileID(path.string)
    var faults = LineFaults()
    let tracks = tracks(
      in: bytes, name: name, isCSV: path.extension?.lowercased() == "csv", faults: &faults)
    try faults.check(FileNames.printable(path))
    if tracks.isEmpty { return [(name, .spans([]))] }
    if isInFolder, tracks.count == 1 { return tracks.map { (name, $0.value) } }
    return tracks.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  private static func tracks(
    in bytes: [UInt8], name: String, isCSV: Bool, faults: inout LineFaults
  ) -> [String: LabelTrack] {
    let lines = TextLines(bytes)
    guard let first = lines.first(where: { !$0.isBlank }) else {
      if isCSV { faults.add(LineFault("the header is missing: the file may be torn"), line: 1) }
      return [:]
    }
    if RTTMLabels.recognises(first) {
      return RTTMLabels.read(lines, faults: &faults).mapValues(LabelTrack.spans)
    }
    if first.number == 1, FrameTableReader.recognises(first) {
      return [name: .frames(FrameTableReader.read(lines, faults: &faults))]
    }
    if isCSV || isHeader(first) {
      return SegmentTable.read(bytes, name: name, faults: &faults).mapValues(LabelTrack.spans)
    }
    return [name: .spans(AudacityLabels.read(lines, faults: &faults))]
  }

  /// Commas before the first blank, and no tab: not a label with a comma in its text.
  private static func isHeader(_ line: TextLines.Line) -> Bool {
    !line.bytes.contains(UInt8(ascii: "\t"))
      && line.fields.first?.contains(UInt8(ascii: ",")) == true
  }
}
