import Annotations
import SystemPackage

/// A command to run for each segment: a program and its arguments, which blanks separate and quotes hold together. Each
/// argument is a template of its own, so that no value can become another argument, or a command.
struct CommandArgument: Sendable {
  let program: FilePath
  private let templates: [[TemplateFormat.Part]]

  init(parsing text: String) throws(ValueError) {
    var words: [[TemplateFormat.Part]] = []
    for word in try Self.words(text) { words.append(try TemplateArgument(parsing: word).parts) }
    guard let first = words.first, !first.isEmpty else {
      throw ValueError(description: "name a program, and its arguments behind it")
    }
    guard case .text(let name)? = first.first, first.count == 1 else {
      throw ValueError(description: "a program has no placeholders: name it first")
    }
    program = FilePath(bytes: ArgumentBytes.bytes(of: name))
    templates = Array(words.dropFirst())
  }

  /// Returns the arguments for a segment, whose placeholders have these values.
  func arguments(_ value: (TemplateFormat.Field) -> [UInt8]) -> [[UInt8]] {
    templates.map { parts in
      parts.flatMap { part in
        switch part {
        case .text(let text): ArgumentBytes.bytes(of: text)
        case .field(let field): value(field)
        }
      }
    }
  }

  private static func words(_ text: String) throws(ValueError) -> [String] {
    var words: [String] = []
    var word: String.UnicodeScalarView?
    var quote: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      if scalar == quote {
        quote = nil
      } else if quote == nil, ["'", "\""].contains(scalar) {
        (quote, word) = (scalar, word ?? .init())
      } else if quote == nil, [" ", "\t", "\n"].contains(scalar) {
        if let word { words.append(String(word)) }
        word = nil
      } else {
        word = word ?? .init()
        word?.append(scalar)
      }
    }
    if let quote { throw ValueError(description: "a \(quote) is open: close it") }
    return words + (word.map { [String($0)] } ?? [])
  }
}
