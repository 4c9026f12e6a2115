/// The result of `vadmon compare`.
struct Comparison: Sendable {
  /// The results of several recordings together.
  struct Section: Sendable {
    var name: String
    /// The tallies of the detected side.
    var tallies: [DecisionTally]
    var detected: Estimate
    var against: Estimate?
    /// Detected minus against, with intervals of the paired difference.
    var difference: Estimate?
  }

  var pooled: Section
  /// One section for each sub-folder of the reference; empty if there is only one.
  var folders: [Section]
  var files: [Section]
  /// The reliability over all recordings, if it was requested and there are probabilities.
  var reliability: Reliability?
  var warnings: [String]
}

extension Comparison.Section {
  func sum(_ count: (DecisionTally) -> Int) -> Int { tallies.reduce(0) { $0 + count($1) } }

  /// The total length of the recordings.
  var duration: Timestamp { Timestamp(cells: sum(\.cells)) }
  var speech: Timestamp { Timestamp(cells: sum { $0.hits + $0.misses }) }
  /// The total length of recordings in which no speech is labelled.
  var speechless: Timestamp { Timestamp(cells: sum { $0.hasSpeech ? 0 : $0.cells }) }
  var onsets: Int { sum { $0.onsetDelays.count + $0.lostOnsets } }
}

extension Timestamp {
  fileprivate init(cells: Int) {
    self.init(milliseconds: UInt64(cells * CellGrid.cellMilliseconds))
  }
}

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
      return "\(figure.rawValue) has no value here, so that \(option) is not met"
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
