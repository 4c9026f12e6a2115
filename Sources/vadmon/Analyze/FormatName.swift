import Annotations

/// The formats, by the names that `--format` accepts.
enum FormatName: String, Sendable, CaseIterable {
  case text, json, jsonl
  case fileJSONL = "file-jsonl"
  case csv, tsv, rttm, audacity, srt, vtt, textgrid, eaf

  /// The extension of files in `--output-dir`.
  var fileExtension: String { facts.fileExtension }

  /// Whether the format has no place for a file name, so that each file holds one recording.
  var holdsOneRecording: Bool { facts.holdsOneRecording }

  func makeFormat(style: TextStyle) -> any RecordFormat { facts.make(style) }

  private typealias Facts = (
    fileExtension: String, holdsOneRecording: Bool, make: (TextStyle) -> any RecordFormat
  )

  /// Everything that differs between formats.
  private var facts: Facts {
    switch self {
    case .text: ("txt", false, { TextFormat(style: $0) })
    case .json: ("json", false, { _ in JSONFormat() })
    case .jsonl: ("jsonl", false, { _ in JSONLinesFormat(content: .everything) })
    case .fileJSONL: ("jsonl", false, { _ in JSONLinesFormat(content: .filesAlone) })
    case .csv: ("csv", false, { _ in TableFormat(separator: .comma) })
    case .tsv: ("tsv", false, { _ in TableFormat(separator: .tab) })
    case .rttm: ("rttm", false, { _ in RTTMFormat() })
    case .audacity: ("txt", true, { _ in CueFormat(syntax: AudacitySyntax()) })
    case .srt: ("srt", true, { _ in CueFormat(syntax: SRTSyntax()) })
    case .vtt: ("vtt", true, { _ in CueFormat(syntax: VTTSyntax()) })
    case .textgrid: ("TextGrid", true, { _ in TierFormat(syntax: TextGridSyntax()) })
    case .eaf: ("eaf", true, { _ in TierFormat(syntax: EAFSyntax()) })
    }
  }
}

extension AnalyzeOptions {
  /// Returns a new value of the format, or of the template that replaces it.
  func makeFormat(style: TextStyle) -> any RecordFormat {
    template.map { TemplateFormat($0.parts) } ?? format.makeFormat(style: style)
  }
}
