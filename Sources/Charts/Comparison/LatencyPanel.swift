internal import SpeechScoring

/// The share of onsets and of offsets that were decided within a time.
struct LatencyPanel {
  let detectors: [DrawnDetector]
  let x: Double
  let y: Double

  /// Onsets or offsets of a detector.
  private struct Distribution {
    let name: String
    let latencies: [Int]
    let median: Double
    let p90: Double

    init?(_ name: String, _ latencies: [Int], _ median: Double?, _ p90: Double?) {
      guard !latencies.isEmpty, let median, let p90 else { return nil }
      (self.name, self.latencies, self.median, self.p90) = (name, latencies, median, p90)
    }
  }

  var elements: [String] {
    let shown = detectors.map(Self.distributions)
    let all = shown.joined()
    let keys = shown.map { $0.isEmpty ? "nothing to measure" : "" }
    let panel = PlotPanel(
      x: x, y: y, detectors: detectors, keys: keys, horizontalEnd: end(Array(all)))
    let frame = panel.frame(
      title: "Latency: median and 90th percentile", horizontal: "latency in ms",
      vertical: "share within it")
    if all.isEmpty { return frame + [panel.message("no onset or offset has a latency")] }
    return frame
      + zip(detectors, shown).enumerated().flatMap { index, line in
        key(line.1, line.0, panel, y: panel.top - 8 + 17 * Double(index - detectors.count) + 12)
          + line.1.flatMap { curve($0, line.0, panel) }
      }
  }

  private static func distributions(_ drawn: DrawnDetector) -> [Distribution] {
    let values = drawn.detector.estimate.values
    return [
      Distribution("onset", drawn.curves.onsetLatencies, values[.onsetP50], values[.onsetP90]),
      Distribution("offset", drawn.curves.offsetLatencies, values[.offsetP50], values[.offsetP90]),
    ].compactMap(\.self)
  }

  /// The end of the axis: the largest latency, unless a long tail would leave no room for the rest.
  private func end(_ distributions: [Distribution]) -> Double {
    let largest = Double(distributions.compactMap(\.latencies.last).max() ?? 0)
    let p90 = distributions.map(\.p90).max() ?? 0
    return max(10, min(largest, 1.6 * p90))
  }

  private func key(
    _ shown: [Distribution], _ drawn: DrawnDetector, _ panel: PlotPanel, y: Double
  ) -> [String] {
    shown.enumerated().flatMap { index, one in
      let x = panel.left + 133 * Double(index)
      return [
        drawn.sample(x: x, y: y, dashes: dashes(one, drawn)), mark(one, x + 12, y - 4, drawn),
        SVG.text(
          "\(one.name) \(Int(one.median.rounded())), \(Int(one.p90.rounded()))", x: x + 30, y: y),
      ]
    }
  }

  private func curve(
    _ one: Distribution, _ drawn: DrawnDetector, _ panel: PlotPanel
  ) -> [String] {
    let end = (panel.right - panel.left) / (panel.horizontal.pixel(1) - panel.left)
    return [
      panel.curve(Self.steps(one.latencies, end: end), of: drawn, dashes: dashes(one, drawn))
    ]
      + [(one.median, 0.5), (one.p90, 0.9)].map { latency, share in
        let (x, y) = panel.point(latency, share)
        return mark(one, x, y, drawn)
      }
  }

  /// Returns the steps of the empirical distribution from 0 to `end`.
  static func steps(_ latencies: [Int], end: Double) -> [(x: Double, y: Double)] {
    var points = [(x: 0.0, y: 0.0)]
    for (index, latency) in latencies.enumerated() where Double(latency) <= end {
      let share = Double(index + 1) / Double(latencies.count)
      points += [(Double(latency), points[points.count - 1].y), (Double(latency), share)]
    }
    return points + [(end, points[points.count - 1].y)]
  }

  private func dashes(_ one: Distribution, _ drawn: DrawnDetector) -> String {
    one.name == "onset" ? drawn.dashes : drawn.offsetDashes
  }

  /// Circles are onsets, squares are offsets.
  private func mark(
    _ one: Distribution, _ x: Double, _ y: Double, _ drawn: DrawnDetector
  ) -> String {
    let tip = "\(one.name): median \(one.median) ms, 90th percentile \(one.p90) ms"
    return one.name == "onset"
      ? SVG.circle(x: x, y: y, radius: 4.5, fill: drawn.color, tip: tip)
      : SVG.rectangle(x: x - 4, y: y - 4, width: 8, height: 8, fill: drawn.color, tip: tip)
  }
}
