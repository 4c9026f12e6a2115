/// The recordings of a format that names them.
struct NamedRecordings {
  private struct Entry {
    var spans: [LabelledSpan] = []
    /// The length that is stated, in seconds.
    var length: Double?
    /// Why it was not analysed, or not to its end.
    var failure: String?
    /// The file that has the name.
    var file: String?
  }

  /// Whether the file itself has the names.
  var areNamed = true
  /// What is known of each recording, by ``RecordingName/fileID(_:)``.
  private var entries: [String: Entry] = [:]

  /// The recordings read.
  var recordings: [String: LabelledRecording] { entries.mapValues(recording) }

  private func recording(_ entry: Entry) -> LabelledRecording {
    var recording = LabelledRecording(.spans(entry.spans), length: entry.length)
    recording.isNamed = areNamed
    guard let failure = entry.failure else { return recording }
    if entry.spans.isEmpty, entry.length == nil {
      recording.failure = failure
    } else {
      let file = printable(entry.file ?? "")
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
    let owner = entries[name]?.file ?? file
    guard owner == file else {
      throw LineFault(
        "\(printable(owner)) and \(printable(file)) are both called \(name): "
          + "rename one of them, or put their labels into two files")
    }
    add(added, named: name)
    entries[name]?.file = owner
    if let length { entries[name]?.length = length }
  }

  /// Adds spans of a recording under its name.
  mutating func add(_ added: [LabelledSpan], named name: String) {
    entries[name, default: Entry()].spans += added
  }

  /// Returns whether a recording was not analysed, or not to its end.
  func hasFailed(_ file: String) -> Bool {
    entries[RecordingName.fileID(file)]?.failure != nil
  }

  /// Declares a recording that was not analysed, or not to its end.
  mutating func add(failure: String, of file: String) throws(LineFault) {
    try add([], of: file)
    entries[RecordingName.fileID(file)]?.failure = printable(failure)
  }
}
