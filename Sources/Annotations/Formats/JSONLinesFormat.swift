/// JSON Lines: one object a line, each with a `type`, written as soon as it is known.
public struct JSONLinesFormat: RecordFormat {
  /// The records to write.
  public enum Content {
    /// Every record, after the configuration.
    case everything
    /// One line for each input: its `file` record, or the `error` that prevented it from being read to its end.
    case filesAlone
  }

  /// The records that this format writes.
  public let content: Content

  /// Creates the format.
  public init(content: Content) { self.content = content }

  /// Appends the configuration.
  public mutating func begin(_ run: RunConfiguration, into text: inout String) {
    if content == .everything { line(run.jsonLine, into: &text) }
  }

  /// Appends one line for a record.
  public mutating func write(_ record: Record, into text: inout String) {
    guard content == .everything || record.isOutcome, let json = Self.object(record) else { return }
    line(json, into: &text)
  }

  private func line(_ json: JSONValue, into text: inout String) {
    json.write(into: &text)
    text += "\n"
  }

  /// Returns the object for a record, or `nil` if it has no line.
  public static func object(_ record: Record) -> JSONValue? {
    switch record {
    case .input: nil
    case .segment(let span): head("segment", span.file) + span.json
    case .mutedSpeech(let span): head("muted_speech", span.file) + span.json
    case .gap(let span): head("gap", span.file) + span.json
    case .error(let error): head("error", error.file) + error.json
    case .file(let file): head("file", file.file) + schema + file.json + counts(file)
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
