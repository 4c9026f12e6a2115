extension AnnotationFormat {
  /// JSON Lines of `vadmon analyze`, with every record.
  public static let jsonl = AnnotationFormat(
    name: "jsonl", fileExtension: "jsonl", naming: .path,
    writer: { JSONLinesFormat(content: .everything) },
    configuration: { $0.jsonLine.text + "\n" }, hasOtherUses: true,
    recognises: { line, _ in JSONLabels.recognises(line) && JSONLabels.isRecord(line) },
    read: { JSONLabels.readLines($0.lines, marks: $0.marks, faults: &$1) })

  /// JSON Lines with one line for each input. Without segments, there is nothing to read.
  public static let fileJSONL = AnnotationFormat(
    name: "file-jsonl", fileExtension: jsonl.fileExtension, naming: .path,
    writer: { JSONLinesFormat(content: .filesAlone) }, configuration: jsonl.configuration)
}

/// JSON Lines: one object a line, each with a `type`, written as soon as it is known.
struct JSONLinesFormat: RecordFormat {
  /// The records to write.
  enum Content {
    /// Every record, after the configuration.
    case everything
    /// One line for each input: its `file` record, or the `error` that prevented it from being read to its end.
    case filesAlone
  }

  /// The records that this format writes.
  let content: Content

  /// Appends the configuration.
  mutating func begin(_ run: RunConfiguration, into text: inout String) {
    if content == .everything { line(run.jsonLine, into: &text) }
  }

  /// Appends one line for a record.
  mutating func write(_ record: Record, into text: inout String) {
    guard content == .everything || record.isOutcome, let json = record.jsonLine else { return }
    line(json, into: &text)
  }

  private func line(_ json: JSONValue, into text: inout String) {
    json.write(into: &text)
    text += "\n"
  }
}

extension Record {
  /// The record as one line of JSON Lines; `nil` if it has none.
  public var jsonLine: JSONValue? {
    switch self {
    case .input: nil
    case .segment(let span): Self.head("segment", span.file) + span.json
    case .mutedSpeech(let span): Self.head("muted_speech", span.file) + span.json
    case .gap(let span): Self.head("gap", span.file) + span.json
    case .error(let error): Self.head("error", error.file) + error.json
    case .file(let file): Self.head("file", file.file) + Self.schema + file.json + Self.counts(file)
    }
  }

  private static func head(_ type: String, _ file: String) -> JSONValue {
    ["type": .string(type), "file": .string(file)]
  }

  /// The schema version, included here because `file-jsonl` has no config record to carry it.
  private static var schema: JSONValue { ["schema_version": .integer(jsonSchemaVersion)] }

  private static func counts(_ file: FileRecord) -> JSONValue {
    ["segment_count": .integer(file.segmentCount), "warnings": file.jsonWarnings]
  }
}

extension RunConfiguration {
  /// The configuration as one line of JSON Lines.
  public var jsonLine: JSONValue { ["type": "config"] + json }
}

extension Record {
  /// Whether this is the outcome of an input: every input has exactly one.
  fileprivate var isOutcome: Bool {
    switch self {
    case .error: true
    case .file(let file): file.isWhole
    case .input, .segment, .mutedSpeech, .gap: false
    }
  }
}
