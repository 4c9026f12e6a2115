import Annotations
import ArgumentParser

/// A format of results: text for people, or one of Annotations.
enum FormatName: WordArgument {
  case text
  case annotations(AnnotationFormat)

  static let allCases: [FormatName] = [.text] + AnnotationFormat.all.map(Self.annotations)

  init?(rawValue: String) {
    guard let format = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = format
  }

  /// The name that `--format` accepts.
  var rawValue: String { annotations?.name ?? "text" }

  /// The extension of files in `--output-dir`.
  var fileExtension: String { annotations?.fileExtension ?? "txt" }

  /// How a file names the recordings that it holds.
  var naming: AnnotationFormat.Naming { annotations?.naming ?? .path }

  /// Whether the program that the format is for opens the recordings by the names in it.
  var opensRecordings: Bool { annotations?.opensRecordings ?? false }
  var joinsChannels: Bool { annotations?.joinsChannels ?? false }

  /// Returns the settings alone: in the format, or one a line where it has no place for them.
  func text(of run: RunConfiguration) -> String { annotations?.configuration?(run) ?? run.table }

  func makeFormat(style: TextStyle) -> any RecordFormat {
    annotations?.writer() ?? TextFormat(style: style)
  }

  private var annotations: AnnotationFormat? {
    if case .annotations(let format) = self { format } else { nil }
  }
}

extension AnalyzeOptions {
  /// Returns a new value of the format, or of the template that replaces it.
  func makeFormat(style: TextStyle) -> any RecordFormat {
    template.map { TemplateFormat($0.parts) } ?? format.makeFormat(style: style)
  }
}
