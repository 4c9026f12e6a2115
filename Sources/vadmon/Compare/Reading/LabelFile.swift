import SystemPackage

/// One file of labels or frames, whose first line says of what kind it is.
enum LabelFile {
  /// Files that a folder is searched for; a file that is named may be called anything.
  static let endings: Set = ["txt", "rttm", "csv"]

  /// What was found in a file.
  struct Content {
    var recordings: [(name: String, track: LabelTrack)]
    /// Of no use where ``isLabels`` is false, but for saying why.
    var faults: LineFaults
    /// Some of it is labels or frames, or it is empty.
    var isLabels: Bool
  }

  /// The recordings of a file that has to be labels or frames. An empty file is one recording without speech.
  ///
  /// `audio`: the base names of the recordings in the folder where the file was found; `nil` for a file that was named.
  static func read(
    _ path: FilePath, audio: Set<String>?
  ) throws(RunError) -> [(name: String, track: LabelTrack)] {
    let content = try content(of: path, audio: audio)
    try content.faults.check(FileNames.printable(path))
    return content.recordings
  }

  /// In a folder a file that tells of one recording only is called what the recording is called, unless it is the
  /// recording that it names which lies there.
  static func content(of path: FilePath, audio: Set<String>?) throws(RunError) -> Content {
    let name = RTTMFormat.fileID(path.string)
    var faults = LineFaults()
    let tracks = tracks(
      in: try path.contents(), name: name, isCSV: path.extension?.lowercased() == "csv",
      faults: &faults)
    let isLabels = faults.isEmpty || tracks.contains { !$0.value.isEmpty }
    var recordings = tracks.sorted { $0.key < $1.key }.map { (name: $0.key, track: $0.value) }
    if recordings.isEmpty { recordings = [(name, .spans([]))] }
    if let audio, recordings.count == 1, audio.contains(name) || !audio.contains(recordings[0].name)
    {
      recordings[0].name = name
    }
    return Content(recordings: recordings, faults: faults, isLabels: isLabels)
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
