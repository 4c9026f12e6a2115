internal import Annotations
internal import SpeechScoring

/// The reliability: how often there is speech where the probability is near 0, 0.1, …, 1, with the number of cells
/// below.
struct ReliabilityPanel {
  let detectors: [DrawnDetector]
  let x: Double
  let y: Double

  /// The height of a row of numbers.
  private static let row = 14.0

  var elements: [String] {
    let shown = detectors.filter { $0.curves.reliability != nil }
    let keys = detectors.map { drawn in
      drawn.curves.reliability.map { "calibration error \(fixed($0.error, places: 4))" }
        ?? (drawn.hasScores ? "scores are not probabilities" : "no probabilities")
    }
    let panel = PlotPanel(
      x: x, y: y, detectors: detectors, keys: keys, foot: Double(shown.count) * Self.row)
    let frame = panel.frame(
      title: "Reliability",
      horizontal: shown.isEmpty ? "probability" : "probability (above: number of cells)",
      vertical: "share of speech")
    if shown.isEmpty {
      let hasScores = detectors.contains(where: \.hasScores)
      return frame + [
        panel.message(
          hasScores ? "scores are not probabilities" : "segments have no probabilities")
      ]
    }
    let diagonal = SVG.line([panel.point(0, 0), panel.point(1, 1)], stroke: "#999", dashes: "2 3")
    return frame + [diagonal]
      + shown.enumerated().flatMap { index, drawn in
        let tenths = drawn.curves.reliability?.tenths ?? []
        let row = panel.vertical.pixel(0) + Double(index + 1) * Self.row - 3
        return curve(tenths, drawn, panel) + counts(tenths, drawn, panel, y: row)
      }
  }

  private func curve(
    _ tenths: [Reliability.Tenth], _ drawn: DrawnDetector, _ panel: PlotPanel
  ) -> [String] {
    let points = tenths.compactMap { tenth -> (x: Double, y: Double)? in
      guard let score = tenth.meanScore, let share = tenth.shareOfSpeech else { return nil }
      return (score, share)
    }
    return [panel.curve(points, of: drawn)]
      + points.map {
        panel.mark(
          $0.x, $0.y, of: drawn,
          tip: "mean probability \(fixed($0.x, places: 3)), speech \(fixed($0.y, places: 3))")
      }
  }

  private func counts(
    _ tenths: [Reliability.Tenth], _ drawn: DrawnDetector, _ panel: PlotPanel, y: Double
  ) -> [String] {
    let texts = tenths.map { tenth in
      SVG.text(
        Self.short(tenth.cells), x: panel.horizontal.pixel(tenth.lower + 0.05), y: y,
        anchor: "middle")
    }
    return [drawn.sample(x: panel.left - 30, y: y + 1), SVG.styled("font-size=\"9\"", texts)]
  }

  /// Returns a count in at most four characters: 999, 1.2k, 12k, 999k, 1.2M.
  static func short(_ count: Int) -> String {
    for (unit, size) in [("", 1), ("k", 1000), ("M", 1_000_000), ("G", 1_000_000_000)] {
      let value = Double(count) / Double(size)
      if unit.isEmpty ? count < 1000 : value < 999.5 {
        return fixed(value, places: unit.isEmpty || value >= 9.95 ? 0 : 1) + unit
      }
    }
    return "≥1T"
  }
}
