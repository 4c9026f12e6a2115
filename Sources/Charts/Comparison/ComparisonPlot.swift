internal import Annotations
package import SpeechScoring

/// A comparison as a picture in SVG 1.1, for papers and issues: the receiver operating characteristic, precision over
/// recall, reliability, and the distributions of the latencies, over all recordings.
package struct ComparisonPlot {
  /// A detector and its results.
  package struct Detector {
    let name: String
    let curves: DetectorCurves
    let estimate: Estimate

    package init(name: String, curves: DetectorCurves, estimate: Estimate) {
      (self.name, self.curves, self.estimate) = (printable(name), curves, estimate)
    }
  }

  private let reference: String
  private let recordings: String
  private let detectors: [DrawnDetector]

  /// Dimensions in pixels.
  private static let (width, left, indent, lineHeight) = (680, 52.0, 80.0, 18.0)

  /// Creates the picture of one detector or of two. `recordings` is how many recordings there are, and how long.
  package init(reference: String, recordings: String, detectors: [Detector]) {
    (self.reference, self.recordings) = (printable(reference), recordings)
    self.detectors = zip(detectors, DrawnDetector.styles).map {
      DrawnDetector(
        detector: $0, color: $1.color, dashes: $1.dashes, offsetDashes: $1.offsetDashes)
    }
  }

  /// The picture.
  package var text: String {
    let top = Double(2 + detectors.count) * Self.lineHeight + 22
    let middle = top + PlotPanel.height(keys: detectors.count)
    let bottom = middle + PlotPanel.height(keys: detectors.count)
    let panels =
      OperatingCharacteristicPanel(detectors: detectors, x: 0, y: top).elements
      + PrecisionPanel(detectors: detectors, x: PlotPanel.pitch, y: top).elements
      + ReliabilityPanel(detectors: detectors, x: 0, y: middle).elements
      + LatencyPanel(detectors: detectors, x: PlotPanel.pitch, y: middle).elements
    let names = detectors.map(\.detector.name).joined(separator: ", ")
    return SVG.document(
      width: Self.width, height: Int(bottom) + 24, title: "\(names) against \(reference)",
      caption + panels + note(y: bottom + 12))
  }

  private var caption: [String] {
    let line = { (number: Int) in 4 + Double(number) * Self.lineHeight }
    let names = ["detected", "against"]
    return [
      SVG.text("labels", x: Self.left, y: line(1)),
      SVG.text(fitted(reference), x: Self.left + Self.indent, y: line(1)),
      SVG.text(recordings, x: Self.left + Self.indent, y: line(2)),
    ]
      + detectors.enumerated().flatMap { index, drawn in
        [
          SVG.text(names[index], x: Self.left, y: line(3 + index)),
          drawn.sample(x: Self.left + Self.indent, y: line(3 + index)),
          SVG.text(
            fitted(drawn.detector.name), x: Self.left + Self.indent + 30, y: line(3 + index)),
        ]
      }
  }

  private func note(y: Double) -> [String] {
    let hasIntervals = detectors.contains { !$0.detector.estimate.intervals.isEmpty }
    return [
      SVG.styled(
        "fill=\"#555\"",
        [
          SVG.circle(x: Self.left + 4, y: y - 4, radius: 4, fill: "#555"),
          SVG.text(
            "in the upper panels: the detector's own decisions"
              + (hasIntervals ? "; in parentheses: 95 % intervals" : ""), x: Self.left + 14, y: y),
        ])
    ]
  }

  /// Returns the name, cut in the middle to fit on a line beside the sample of a curve.
  private func fitted(_ name: String) -> String {
    SVG.shortened(name, to: Double(Self.width) - Self.left - Self.indent - 30 - 28)
  }
}

/// A detector and how its curves look.
struct DrawnDetector {
  let detector: ComparisonPlot.Detector
  let color: String
  let dashes: String
  /// The dashes of its offsets, where its onsets are in the same panel.
  let offsetDashes: String

  /// Okabe and Ito's blue and vermilion, which colour-blind readers can distinguish. The dashes are for print without
  /// colours.
  static let styles = [
    (color: "#0072b2", dashes: "none", offsetDashes: "2 2"),
    (color: "#d55e00", dashes: "6 3", offsetDashes: "6 3 1 3"),
  ]

  var curves: DetectorCurves { detector.curves }

  /// A short piece of a curve, for a line of text.
  func sample(x: Double, y: Double, dashes: String? = nil) -> String {
    SVG.line([(x, y - 4), (x + 24, y - 4)], stroke: color, dashes: dashes ?? self.dashes)
  }

  /// Returns the figure and its interval for a panel's key; `nil` if it has no value.
  func key(_ figure: Figure) -> String? {
    guard let value = detector.estimate.values[figure] else { return nil }
    let number = { (value: Double) in fixed(value, places: figure.places) }
    let interval = detector.estimate.intervals[figure].map {
      " (\(number($0.lowerBound))–\(number($0.upperBound)))"
    }
    return "\(figure.title) \(number(value))\(interval ?? "")"
  }
}
