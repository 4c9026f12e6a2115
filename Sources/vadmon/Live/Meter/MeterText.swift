/// Lines of styled text that must fit a terminal.
enum MeterText {
  private static let escape: Character = "\u{1B}"

  /// Columns that a line takes: its characters, less what sets colours.
  static func width(_ line: String) -> Int {
    var count = 0
    var isCode = false
    for character in line {
      if isCode {
        isCode = character != "m"
      } else if character == escape {
        isCode = true
      } else {
        count += 1
      }
    }
    return count
  }

  /// The line, or as much of it as fits, with `…` for the rest; colours end where the line does.
  static func cut(_ line: String, to columns: Int) -> String {
    guard width(line) > columns else { return line }
    guard columns > 0 else { return "" }
    var (text, count, isCode, isStyled) = ("", 0, false, false)
    for character in line {
      if isCode || character == escape {
        isCode = character != "m"
        isStyled = true
      } else {
        if count == columns - 1 { break }
        count += 1
      }
      text.append(character)
    }
    return text + "…" + (isStyled ? "\u{1B}[0m" : "")
  }

  /// `left` and, at the right edge, `right`, for which `left` is cut; `left` alone where hardly anything of it
  /// would be left.
  static func spread(_ left: String, _ right: String, columns: Int) -> String {
    let room = columns - width(right) - 2
    guard room >= 8 else { return cut(left, to: columns) }
    let left = cut(left, to: room)
    return left + String(repeating: " ", count: columns - width(left) - width(right)) + right
  }

  /// Plain text on as many lines as it takes, broken between words.
  static func wrapped(_ text: String, columns: Int) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, last.count + 1 + word.count <= columns {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }

  /// The first that fits, or else the last.
  static func fitting(_ columns: Int, _ lines: String...) -> String {
    lines.first { width($0) <= columns } ?? lines.last ?? ""
  }
}
