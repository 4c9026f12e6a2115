/// The recordings of a format that names them.
struct NamedRecordings {
  /// Whether the file itself has the names.
  var areNamed = true
  /// The speech of each recording, by ``RecordingName/fileID(_:)``.
  private var spans: [String: [LabelledSpan]] = [:]
  /// The lengths that are stated, in seconds.
  private var lengths: [String: Double] = [:]
  /// Why recordings were not analysed, or not to their ends.
  private var failures: [String: String] = [:]
  private var files: [String: String] = [:]

  /// The recordings read.
  var recordings: [String: LabelledRecording] {
    Dictionary(uniqueKeysWithValues: spans.map { name, spans in (name, recording(name, spans)) })
  }

  private func recording(_ name: String, _ spans: [LabelledSpan]) -> LabelledRecording {
    var recording = LabelledRecording(.spans(spans), length: lengths[name])
    recording.isNamed = areNamed
    guard let failure = failures[name] else { return recording }
    if spans.isEmpty, recording.length == nil {
      recording.failure = failure
    } else {
      let file = printable(files[name] ?? name)
      recording.remarks.append(
        "\(file) was not analysed to its end, and what follows counts as without speech (\(failure))"
      )
    }
    return recording
  }

  /// Adds spans, or declares a recording without any. Throws a fault if another file has the same name.
  mutating func add(
    _ added: [LabelledSpan], of file: String, length: Double? = nil
  ) throws(LineFault) {
    let name = RecordingName.fileID(file)
    let owner = files[name, default: file]
    guard owner == file else {
      throw LineFault(
        "\(printable(owner)) and \(printable(file)) are both called \(name): "
          + "rename one of them, or put their labels into two files")
    }
    files[name] = owner
    add(added, named: name)
    if let length { lengths[name] = length }
  }

  /// Adds spans of a recording under its name.
  mutating func add(_ added: [LabelledSpan], named name: String) {
    spans[name, default: []] += added
  }

  /// Returns whether a recording was not analysed, or not to its end.
  func hasFailed(_ file: String) -> Bool { failures[RecordingName.fileID(file)] != nil }

  /// Declares a recording that was not analysed, or not to its end.
  mutating func add(failure: String, of file: String) throws(LineFault) {
    try add([], of: file)
    failures[RecordingName.fileID(file)] = printable(failure)
  }
}
