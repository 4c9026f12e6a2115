/// What terminals without Unicode show of vadmon's drawings: as many characters of ASCII alone.
enum ASCII {
  private static let stand: [Character: Character] = [
    "█": "#", "▉": "#", "▊": "#", "▋": "#", "▌": "#", "▍": ".", "▎": ".", "▏": ".", "·": ".",
    "▁": "_", "▂": ".", "▃": ":", "▄": "-", "▅": "=", "▆": "+", "▇": "*", "×": "x",
    "│": "|", "┊": ":", "┃": "|", "╎": ":", "●": "*", "…": ">", "≥": ">",
  ]

  /// Characters that have no likeness become question marks.
  static func text(_ text: String) -> String {
    String(text.map { $0.isASCII ? $0 : stand[$0] ?? "?" })
  }
}
