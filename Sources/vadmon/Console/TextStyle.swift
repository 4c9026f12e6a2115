/// The colours of text for people (ECMA-48 SGR), or none.
struct TextStyle: Sendable, Hashable {
  /// The appearance of text.
  enum Tint: String, Sendable {
    case strong = "1"
    case faint = "2"
    case good = "32"
    case info = "36"
    case warning = "33"
    case bad = "31"
    /// Text that must not be overlooked.
    case alert = "1;7;33"
  }

  var isColored: Bool
  /// Whether to use ASCII only.
  var isASCII = false

  static let plain = TextStyle(isColored: false)

  func strong(_ text: String) -> String { tinted(text, .strong) }
  func faint(_ text: String) -> String { tinted(text, .faint) }
  func good(_ text: String) -> String { tinted(text, .good) }
  func warning(_ text: String) -> String { tinted(text, .warning) }
  func bad(_ text: String) -> String { tinted(text, .bad) }
  func alert(_ text: String) -> String { tinted(text, .alert) }

  func tinted(_ text: String, _ tint: Tint) -> String {
    isColored && !text.isEmpty ? "\u{1B}[\(tint.rawValue)m\(text)\u{1B}[0m" : text
  }

  /// Returns characters in their colours. Neighbours of one colour share its codes.
  func tinted(_ cells: [(symbol: Character, tint: Tint)]) -> String {
    var (text, run, tint) = ("", "", Tint.faint)
    for cell in cells {
      if cell.tint != tint {
        text += tinted(run, tint)
        (run, tint) = ("", cell.tint)
      }
      run.append(cell.symbol)
    }
    return text + tinted(run, tint)
  }
}
