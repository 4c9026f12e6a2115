internal import Annotations

/// Elements of an SVG 1.1 document. Coordinates are in pixels.
package enum SVG {
  package static func document(width: Int, height: Int, title: String, _ body: [String]) -> String {
    """
    <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
    viewBox="0 0 \(width) \(height)" font-family="sans-serif" font-size="12" fill="#222">
    <title>\(escaped(title))</title>
    <rect width="100%" height="100%" fill="#fff"/>

    """ + body.map { $0 + "\n" }.joined() + "</svg>\n"
  }

  package static func text(_ text: String, x: Double, y: Double, anchor: String = "start") -> String
  {
    "<text x=\"\(number(x))\" y=\"\(number(y))\" text-anchor=\"\(anchor)\">\(escaped(text))</text>"
  }

  /// Returns a rectangle; `tip` is the text that browsers show for it.
  package static func rectangle(
    x: Double, y: Double, width: Double, height: Double, fill: String, tip: String
  ) -> String {
    "<rect x=\"\(number(x))\" y=\"\(number(y))\" width=\"\(number(width))\" "
      + "height=\"\(number(height))\" fill=\"\(fill)\"><title>\(escaped(tip))</title></rect>"
  }

  package static func line(
    _ points: [(x: Double, y: Double)], stroke: String, dashes: String = "none"
  )
    -> String
  {
    "<polyline points=\"\(list(points))\" fill=\"none\" stroke=\"\(stroke)\" stroke-width=\"1.5\" "
      + "stroke-dasharray=\"\(dashes)\"/>"
  }

  package static func area(
    _ points: [(x: Double, y: Double)], fill: String, tip: String, opacity: Double = 0.6
  ) -> String {
    "<polygon points=\"\(list(points))\" fill=\"\(fill)\" fill-opacity=\"\(number(opacity))\">"
      + "<title>\(escaped(tip))</title></polygon>"
  }

  private static func list(_ points: [(x: Double, y: Double)]) -> String {
    points.map { "\(number($0.x)),\(number($0.y))" }.joined(separator: " ")
  }

  /// Returns a number with one decimal. A tenth of a pixel is finer than anyone can see.
  private static func number(_ value: Double) -> String { fixed(value, places: 1) }

  /// Returns text escaped for XML 1.0 content and attributes. Control characters are shown as escapes, because XML does
  /// not allow them.
  package static func escaped(_ text: String) -> String {
    printable(text).unicodeScalars.map { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      case "\u{FFFE}", "\u{FFFF}": "\u{FFFD}"
      default: String(scalar)
      }
    }.joined()
  }
}
