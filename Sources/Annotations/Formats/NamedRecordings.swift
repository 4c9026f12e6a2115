/// The recordings of a format that names them.
struct NamedRecordings {
  /// The speech of each recording, by ``RecordingName/fileID(_:)``.
  private var spans: [String: [LabelledSpan]] = [:]
  /// The lengths that are stated, in seconds.
  private var lengths: [String: Double] = [:]
  private var files: [String: String] = [:]

  /// The recordings read.
  var recordings: [String: LabelledRecording] {
    Dictionary(
      uniqueKeysWithValues: spans.map { name, spans in
        (name, LabelledRecording(.spans(spans), length: lengths[name]))
      })
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
          + "write a file for each folder")
    }
    files[name] = owner
    add(added, named: name)
    if let length { lengths[name] = length }
  }

  /// Adds spans of a recording under its name.
  mutating func add(_ added: [LabelledSpan], named name: String) {
    spans[name, default: []] += added
  }
}
