import Annotations

/// A template of lines: text with placeholders in braces. `{{` and `}}` stand for braces, and `\n`, `\t` and `\\` for a
/// line end, a tab and a backslash.
struct TemplateArgument: Sendable {
  private(set) var parts: [TemplateFormat.Part] = []

  init(parsing text: String) throws(ValueError) {
    var rest = text[...]
    while let character = rest.popFirst() {
      switch character {
      case "\\": append(try Self.escape(rest.popFirst()))
      case "{" where rest.first == "{", "}" where rest.first == "}":
        append(rest.removeFirst())
      case "{": parts.append(.field(try Self.placeholder(&rest)))
      case "}": throw ValueError(description: "a } has no { before it; write }} for a brace")
      default: append(character)
      }
    }
  }

  /// The placeholders, for help and messages.
  static let placeholders = TemplateFormat.Field.allCases.map { "{\($0.rawValue)}" }
    .joined(separator: " ")

  private mutating func append(_ character: Character) {
    if case .text(let text)? = parts.last {
      parts[parts.count - 1] = .text(text + String(character))
    } else {
      parts.append(.text(String(character)))
    }
  }

  private static func escape(_ letter: Character?) throws(ValueError) -> Character {
    switch letter {
    case "n": return "\n"
    case "t": return "\t"
    case "\\": return "\\"
    default: throw ValueError(description: #"write \n, \t, or \\ for a backslash"#)
    }
  }

  /// Reads a placeholder after its `{`.
  private static func placeholder(
    _ rest: inout Substring
  ) throws(ValueError) -> TemplateFormat.Field {
    guard let end = rest.firstIndex(of: "}") else {
      throw ValueError(description: "a } is missing; write {{ for a brace")
    }
    let name = String(rest[..<end])
    rest = rest[rest.index(after: end)...]
    if let field = TemplateFormat.Field(rawValue: name) { return field }
    let nearest = Spelling.nearest(
      to: name, among: TemplateFormat.Field.allCases.map(\.rawValue), within: min(3, name.count / 2)
    )
    let suggestion = nearest.map { "did you mean {\($0)}? Others" } ?? "the placeholders"
    throw ValueError(
      description: "there is no {\(printable(name))}; \(suggestion) are \(placeholders)")
  }
}
