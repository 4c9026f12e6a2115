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

  /// Returns vadmon's own words of results for people, as the locale has them. What has no replacement, such as the
  /// letters of names, stays.
  static func results(_ text: String) -> String {
    Terminal.refusesUTF8 ? String(text.map { stand[$0] ?? $0 }) : text
  }
}
