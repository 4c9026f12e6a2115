import Annotations
import SpeechScoring

/// A minimum or maximum for a figure.
struct FigureBound: Sendable, Hashable {
  enum Side: String, Sendable { case min, max }

  var side: Side
  var figure: Figure
  var limit: Double

  func isMet(by value: Double) -> Bool { side == .min ? value >= limit : value <= limit }

  /// Returns `nil` if the bound is met, or a sentence with the figure, its value and the limit.
  func complaint(_ figures: Figures) -> String? {
    let option = "--\(side.rawValue) \(figure.rawValue)=\(limit)"
    guard let value = figures[figure] else {
      return "\(figure.rawValue) has no value here, so \(option) is not met"
    }
    if isMet(by: value) { return nil }
    let relation = side == .min ? "below" : "above"
    return "\(figure.rawValue) is \(shown(value)), \(relation) \(option)"
  }

  /// Returns the value with the table's decimals, or with more if it would otherwise look equal to the limit, and
  /// without trailing zeros.
  private func shown(_ value: Double) -> String {
    let places = (figure.places..<17).first { fixed(value, places: $0) != fixed(limit, places: $0) }
    let text = fixed(value, places: places ?? 17)
    guard text.contains("."), let last = text.lastIndex(where: { $0 != "0" }) else { return text }
    return String(text[last] == "." ? text[..<last] : text[...last])
  }
}
