/// An output format for records.
///
/// A format is a value that appends text and does nothing else: it uses no file, terminal or clock. It appends valid
/// UTF-8 whatever the file names are.
protocol RecordFormat {
  /// Appends the text before the first record.
  mutating func begin(_ run: RunConfiguration, into text: inout String)
  mutating func write(_ record: Record, into text: inout String)
  /// Appends the text after the last record.
  mutating func end(into text: inout String)
}

extension RecordFormat {
  mutating func begin(_ run: RunConfiguration, into text: inout String) {}
  mutating func end(into text: inout String) {}
}

/// The formats, by the names that `--format` accepts.
enum FormatName: String, Sendable, CaseIterable {
  case text, json, jsonl
  case fileJSONL = "file-jsonl"
  case csv, rttm, audacity, srt, vtt

  /// The extension of files in `--output-dir`.
  var fileExtension: String {
    switch self {
    case .text, .audacity: "txt"
    case .json: "json"
    case .jsonl, .fileJSONL: "jsonl"
    case .csv: "csv"
    case .rttm: "rttm"
    case .srt: "srt"
    case .vtt: "vtt"
    }
  }

  /// Whether the format has no place for a file name, so that each file holds one recording.
  var holdsOneRecording: Bool {
    switch self {
    case .audacity, .srt, .vtt: true
    case .text, .json, .jsonl, .fileJSONL, .csv, .rttm: false
    }
  }

  func makeFormat(style: TextStyle) -> any RecordFormat {
    switch self {
    case .text: TextFormat(style: style)
    case .json: JSONFormat()
    case .jsonl: JSONLinesFormat(content: .everything)
    case .fileJSONL: JSONLinesFormat(content: .filesAlone)
    case .csv: CSVFormat()
    case .rttm: RTTMFormat()
    case .audacity: CueFormat(syntax: AudacitySyntax())
    case .srt: CueFormat(syntax: SRTSyntax())
    case .vtt: CueFormat(syntax: VTTSyntax())
    }
  }
}
