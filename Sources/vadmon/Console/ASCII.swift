/// Replacements for vadmon's own characters where the locale has no Unicode, one ASCII character for each.
enum ASCII {
  private static let stand: [Character: Character] = [
    "█": "#", "░": ".", "▉": "#", "▊": "#", "▋": "#", "▌": "#", "▍": ".", "▎": ".", "▏": ".",
    "·": ".",
    "▁": "_", "▂": ".", "▃": ":", "▄": "-", "▅": "=", "▆": "+", "▇": "*", "×": "x",
    "━": "=", "╍": "~",
    "│": "|", "┊": ":", "┃": "|", "╎": ":", "┼": "+", "●": "*", "…": "~", "≥": ">",
    "–": "-", "µ": "u",
  ]

  /// Returns the text in ASCII. Characters without a replacement become question marks.
  static func text(_ text: String) -> String {
    String(text.map { $0.isASCII ? $0 : stand[$0] ?? "?" })
  }

  /// Returns results for people in characters that the locale has. A character without a replacement, such as a letter
  /// of a name, stays.
  static func results(_ text: String) -> String {
    Terminal.refusesUTF8 ? String(text.map { stand[$0] ?? $0 }) : text
  }
}
