extension AnnotationFormat {
  /// The JSON of `vadmon analyze`.
  public static let json = AnnotationFormat(
    name: "json", fileExtension: "json", naming: .path, writer: { JSONFormat() },
    configuration: { $0.json.text + "\n" }, hasOtherUses: true,
    recognises: { line, _ in JSONLabels.recognises(line) && !JSONLabels.isRecord(line) },
    read: { JSONLabels.read($0.text, marks: $0.marks, faults: &$1) })
}

/// One JSON document: the configuration, then `files`, an array with one object for each input.
struct JSONFormat: RecordFormat {
  private var segments: [JSONValue] = []
  private var mutedSpeech: [JSONValue] = []
  private var gaps: [JSONValue] = []
  private var error: ErrorRecord?
  private var isFirstFile = true

  /// Appends the configuration.
  mutating func begin(_ run: RunConfiguration, into text: inout String) {
    text += "{\n" + run.json.memberLines(indentedBy: 2) { _ in false } + ",\n  \"files\": ["
  }

  /// Appends an input once its last record is known.
  mutating func write(_ record: Record, into text: inout String) {
    switch record {
    case .input:
      finishFailedFile(into: &text)
    case .segment(let span): segments.append(span.json)
    case .mutedSpeech(let span): mutedSpeech.append(span.json)
    case .gap(let span): gaps.append(span.json)
    case .error(let failure):
      finishFailedFile(into: &text)
      error = failure
    case .file(let file): finish(["file": .string(file.file)] + file.json, file, into: &text)
    }
  }

  /// Completes the document.
  mutating func end(into text: inout String) {
    finishFailedFile(into: &text)
    text += isFirstFile ? "]\n}\n" : "\n  ]\n}\n"
  }
}

extension JSONFormat {
  /// Completes an input that could not be opened: its error is not followed by a file record.
  private mutating func finishFailedFile(into text: inout String) {
    guard let error else { return }
    finish(["file": .string(error.file)], nil, into: &text)
  }

  private mutating func finish(_ head: JSONValue, _ file: FileRecord?, into text: inout String) {
    let lists: JSONValue = [
      "error": error?.json ?? .null,
      "warnings": file?.jsonWarnings ?? .array([]),
      "gaps": .array(gaps),
      "muted_speech": .array(mutedSpeech),
      "segments": .array(segments),
    ]
    text += isFirstFile ? "\n" : ",\n"
    text += "    {\n" + (head + lists).memberLines(indentedBy: 6) { _ in true } + "\n    }"
    self = JSONFormat()
    isFirstFile = false
  }
}
