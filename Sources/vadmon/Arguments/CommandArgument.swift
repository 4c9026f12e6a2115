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
      throw ValueError(description: "name a program, and its arguments after it")
    }
    guard case .text(let name)? = first.first, first.count == 1 else {
      throw ValueError(description: "a program has no placeholders: name it first")
    }
    program = FilePath(bytes: ArgumentBytes.bytes(of: name))
    templates = Array(words.dropFirst())
    guard !givesShellNames else {
      throw ValueError(
        description:
          "the shell would run what a name contains: pass it as an argument, as in sh -c 'wc -c \"$1\"' sh {file}"
      )
    }
  }

  private static let shells: Set = ["sh", "ash", "bash", "dash", "fish", "ksh", "mksh", "zsh"]

  /// Whether the commands that a shell gets behind `-c` contain names. Other values are numbers and words of vadmon's
  /// own.
  private var givesShellNames: Bool {
    guard let shell = program.lastComponent?.string, Self.shells.contains(shell) else {
      return false
    }
    let commands = zip(templates, templates.dropFirst()).first { option, _ in
      guard case .text(let text)? = option.first else { return false }
      return text.hasPrefix("-") && !text.hasPrefix("--") && text.contains("c")
    }
    return commands?.1.contains { [.field(.file), .field(.stem), .field(.saved)].contains($0) }
      ?? false
  }

  /// The file of the program; `nil` if it is searched for in `PATH`.
  var file: FilePath? { program.components.count > 1 || program.isAbsolute ? program : nil }

  /// Whether an argument has a placeholder.
  func has(_ field: TemplateFormat.Field) -> Bool { templates.joined().contains(.field(field)) }

  /// Returns the arguments for a segment, whose placeholders have these values, as ``ArgumentBytes`` writes them.
  func arguments(_ value: (TemplateFormat.Field) -> String) -> [[UInt8]] {
    templates.map { parts in
      let text = parts.map { part in
        switch part {
        case .text(let text): text
        case .field(let field): value(field)
        }
      }.joined()
      return ArgumentBytes.bytes(of: (Self.looksLikeOption(text, parts) ? "./" : "") + text)
    }
  }

  /// Whether a value makes an argument look like an option. The file `-` stays what it is, standard input.
  private static func looksLikeOption(_ text: String, _ parts: [TemplateFormat.Part]) -> Bool {
    guard case .field? = parts.first, text.utf8.first == UInt8(ascii: "-") else { return false }
    return text != "-" || parts != [.field(.file)]
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
