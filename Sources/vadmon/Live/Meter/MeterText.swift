/// Functions that fit lines of styled text to a terminal.
enum MeterText {
  private static let escape: Character = "\u{1B}"

  /// Returns the number of columns that a line takes: its characters, without colour codes.
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

  /// Returns the line, cut with `…` if it does not fit. A cut line ends with a colour reset.
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

  /// Returns `left` and, at the right edge, `right`. `left` is cut to make room; if hardly anything of it would remain,
  /// `right` is omitted instead.
  static func spread(_ left: String, _ right: String, columns: Int) -> String {
    let room = columns - width(right) - 2
    guard room >= 8 else { return cut(left, to: columns) }
    let left = cut(left, to: room)
    return left + String(repeating: " ", count: columns - width(left) - width(right)) + right
  }

  /// Returns plain text on as many lines as it needs, broken between words.
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

  /// Returns the first line that fits, or the last if none does.
  static func fitting(_ columns: Int, _ lines: String...) -> String {
    lines.first { width($0) <= columns } ?? lines.last ?? ""
  }
}
