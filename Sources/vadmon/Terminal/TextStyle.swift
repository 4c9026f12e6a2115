/// Colours of text for people (ECMA-48 SGR), or none.
struct TextStyle: Sendable, Hashable {
  var isColored: Bool

  static let plain = TextStyle(isColored: false)

  func strong(_ text: String) -> String { sgr("1", text) }
  func faint(_ text: String) -> String { sgr("2", text) }
  func good(_ text: String) -> String { sgr("32", text) }
  func warning(_ text: String) -> String { sgr("33", text) }

  private func sgr(_ code: String, _ text: String) -> String {
    isColored ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
