/// The speech of recordings that a format names by their files.
struct NamedRecordings {
  /// The speech of each recording, by ``RecordingName/fileID(_:)``.
  var spans: [String: [LabelledSpan]] = [:]
  private var files: [String: String] = [:]

  /// Adds spans, or declares a recording without any. Throws a fault if another file has the same name.
  mutating func add(_ added: [LabelledSpan], of file: String) throws(LineFault) {
    let name = RecordingName.fileID(file)
    let owner = files[name, default: file]
    guard owner == file else {
      throw LineFault(
        "\(printable(owner)) and \(printable(file)) are both called \(name): "
          + "write a file for each folder")
    }
    files[name] = owner
    spans[name, default: []] += added
  }
}
