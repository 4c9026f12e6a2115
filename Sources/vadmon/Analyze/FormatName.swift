import Annotations

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
