internal import Annotations

extension SVG {
  /// Returns elements with attributes in common.
  static func styled(_ attributes: String, _ elements: [String]) -> String {
    "<g \(attributes)>\(elements.joined())</g>"
  }

  /// Returns grey text that can be read over lines.
  static func haloed(_ text: [String], size: Int = 12) -> String {
    styled(
      "fill=\"#666\" font-size=\"\(size)\" stroke=\"#fff\" stroke-width=\"4\" paint-order=\"stroke\"",
      text)
  }

  /// Returns a disc with a white edge; `tip` is the text that browsers show for it.
  static func circle(x: Double, y: Double, radius: Double, fill: String, tip: String = "") -> String
  {
    "<circle cx=\"\(fixed(x, places: 1))\" cy=\"\(fixed(y, places: 1))\" r=\"\(radius)\" "
      + "fill=\"\(fill)\" stroke=\"#fff\">"
      + (tip.isEmpty ? "" : "<title>\(escaped(tip))</title>") + "</circle>"
  }

  /// Returns the text, or its beginning and its end with an ellipsis between them if it would be wider than `width`.
  static func shortened(_ text: String, to width: Double) -> String {
    if self.width(of: text) <= width { return text }
    var (head, tail) = ("", "")
    var rest = Substring(text)
    while let character = rest.popLast(), self.width(of: tail + [character]) <= width * 2 / 3 {
      tail = String(character) + tail
    }
    for character in text {
      guard self.width(of: head + "…" + tail + [character]) <= width else { break }
      head.append(character)
    }
    return head + "…" + tail
  }

  /// An upper bound of the width of text, which depends on the reader's font: two thirds of an em for a letter, a whole
  /// em beyond the alphabets of Europe.
  static func width(of text: String) -> Double {
    text.unicodeScalars.reduce(0) { $0 + ($1.value < 0x590 ? 8 : 12.5) }
  }
}
