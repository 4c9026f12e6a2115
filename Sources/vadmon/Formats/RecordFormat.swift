/// One way of writing records down.
///
/// A format is a value that appends text and does nothing else: no file, no terminal, no clock. What it
/// appends is valid UTF-8 whatever the names of the files are.
protocol RecordFormat {
  /// What comes before the first record.
  mutating func begin(_ run: RunConfiguration, into text: inout String)
  mutating func write(_ record: Record, into text: inout String)
  /// What comes behind the last record.
  mutating func end(into text: inout String)
}

extension RecordFormat {
  mutating func begin(_ run: RunConfiguration, into text: inout String) {}
  mutating func end(into text: inout String) {}
}

/// The formats by the names that `--format` takes.
enum FormatName: String, Sendable, CaseIterable {
  case text, json, jsonl
  case fileJSONL = "file-jsonl"
  case csv, rttm, audacity, srt, vtt

  /// The ending of files in `--output-dir`.
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

  /// The format has no place for a file's name, so that its files hold one recording each.
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
