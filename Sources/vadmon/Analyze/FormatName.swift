import Annotations

/// The formats, by the names that `--format` accepts.
enum FormatName: String, Sendable, CaseIterable {
  case text, json, jsonl
  case fileJSONL = "file-jsonl"
  case csv, tsv, rttm, audacity, srt, vtt, textgrid, eaf

  /// The extension of files in `--output-dir`.
  var fileExtension: String {
    switch self {
    case .text, .audacity: "txt"
    case .json: "json"
    case .jsonl, .fileJSONL: "jsonl"
    case .csv: "csv"
    case .tsv: "tsv"
    case .rttm: "rttm"
    case .srt: "srt"
    case .vtt: "vtt"
    case .textgrid: "TextGrid"
    case .eaf: "eaf"
    }
  }

  /// Whether the format has no place for a file name, so that each file holds one recording.
  var holdsOneRecording: Bool {
    switch self {
    case .audacity, .srt, .vtt, .textgrid, .eaf: true
    case .text, .json, .jsonl, .fileJSONL, .csv, .tsv, .rttm: false
    }
  }

  func makeFormat(style: TextStyle) -> any RecordFormat {
    switch self {
    case .text: TextFormat(style: style)
    case .json: JSONFormat()
    case .jsonl: JSONLinesFormat(content: .everything)
    case .fileJSONL: JSONLinesFormat(content: .filesAlone)
    case .csv: TableFormat(separator: .comma)
    case .tsv: TableFormat(separator: .tab)
    case .rttm: RTTMFormat()
    case .audacity: CueFormat(syntax: AudacitySyntax())
    case .srt: CueFormat(syntax: SRTSyntax())
    case .vtt: CueFormat(syntax: VTTSyntax())
    case .textgrid: TierFormat(syntax: TextGridSyntax())
    case .eaf: TierFormat(syntax: EAFSyntax())
    }
  }
}

extension AnalyzeOptions {
  /// Returns a new value of the format, or of the template that replaces it.
  func makeFormat(style: TextStyle) -> any RecordFormat {
    template.map { TemplateFormat($0.parts) } ?? format.makeFormat(style: style)
  }
}
