/// Replacements for vadmon's drawing characters on terminals without Unicode, one ASCII character for each.
enum ASCII {
  private static let stand: [Character: Character] = [
    "█": "#", "░": ".", "▉": "#", "▊": "#", "▋": "#", "▌": "#", "▍": ".", "▎": ".", "▏": ".",
    "·": ".",
    "▁": "_", "▂": ".", "▃": ":", "▄": "-", "▅": "=", "▆": "+", "▇": "*", "×": "x",
    "━": "=", "╍": "~",
    "│": "|", "┊": ":", "┃": "|", "╎": ":", "┼": "+", "●": "*", "…": ">", "≥": ">",
  ]

  /// Returns the text in ASCII. Characters without a replacement become question marks.
  static func text(_ text: String) -> String {
    String(text.map { $0.isASCII ? $0 : stand[$0] ?? "?" })
  }
}
