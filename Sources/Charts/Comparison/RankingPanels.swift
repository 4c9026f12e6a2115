internal import Annotations
internal import SpeechScoring

/// The receiver operating characteristic: recall over false alarm rate.
struct OperatingCharacteristicPanel {
  let detectors: [DrawnDetector]
  let x: Double
  let y: Double

  var elements: [String] {
    let panel = PlotPanel(
      x: x, y: y, detectors: detectors, keys: detectors.map { $0.key(.auc) ?? "no probabilities" })
    let frame = panel.frame(
      title: "Receiver operating characteristic", horizontal: "false alarm rate",
      vertical: "recall")
    if let reason = detectors.missingClass { return frame + [panel.message(reason)] }
    let chance = SVG.line([panel.point(0, 0), panel.point(1, 1)], stroke: "#999", dashes: "2 3")
    return frame + [chance] + detectors.noScores(in: panel)
      + detectors.filter(\.hasScores).map { drawn in
        panel.curve(
          drawn.curves.thresholds.map {
            (drawn.curves.falseAlarmRate($0), drawn.curves.recall($0))
          }, of: drawn)
      }
      + detectors.map { drawn in
        let rate = drawn.curves.falseAlarmRate(drawn.curves.decisions)
        let recall = drawn.curves.recall(drawn.curves.decisions)
        return panel.mark(
          rate, recall, of: drawn,
          tip: "false alarm rate \(fixed(rate, places: 4)), recall \(fixed(recall, places: 4))")
      }
  }
}

/// Precision over recall.
struct PrecisionPanel {
  let detectors: [DrawnDetector]
  let x: Double
  let y: Double

  var elements: [String] {
    let keys = detectors.map { $0.key(.ap) ?? $0.key(.f1) ?? "no probabilities" }
    let panel = PlotPanel(x: x, y: y, detectors: detectors, keys: keys)
    let frame = panel.frame(
      title: "Precision and recall", horizontal: "recall", vertical: "precision")
    if let reason = detectors.missingClass { return frame + [panel.message(reason)] }
    return frame + equalF1(panel) + detectors.noScores(in: panel)
      + detectors.filter(\.hasScores).map { panel.curve(Self.steps($0.curves), of: $0) }
      + detectors.compactMap { drawn in
        let recall = drawn.curves.recall(drawn.curves.decisions)
        return drawn.curves.decisions.precision.map { precision in
          panel.mark(
            recall, precision, of: drawn,
            tip: "recall \(fixed(recall, places: 4)), precision \(fixed(precision, places: 4))")
        }
      }
  }

  /// Returns the steps whose area is the average precision: each threshold that adds speech holds its precision from
  /// the recall before it.
  static func steps(_ curves: DetectorCurves) -> [(x: Double, y: Double)] {
    var points: [(x: Double, y: Double)] = []
    for (before, counts) in zip(curves.thresholds, curves.thresholds.dropFirst())
    where counts.hits > before.hits {
      guard let precision = counts.precision else { continue }
      points += [(curves.recall(before), precision), (curves.recall(counts), precision)]
    }
    return points
  }

  /// Lines of equal F1: precision = F1 · recall / (2 · recall - F1).
  private func equalF1(_ panel: PlotPanel) -> [String] {
    let lines = [0.2, 0.4, 0.6, 0.8].flatMap { value in
      let points = stride(from: value / (2 - value), through: 1, by: 0.01).map { recall in
        panel.point(recall, min(1, value * recall / (2 * recall - value)))
      }
      let end = panel.point(1, value / (2 - value))
      return [
        SVG.line(points + [end], stroke: "#bbb", dashes: "2 3"),
        SVG.haloed([SVG.text("F1 \(value)", x: end.x - 4, y: end.y - 4, anchor: "end")], size: 10),
      ]
    }
    return lines
  }
}

extension DrawnDetector {
  var hasScores: Bool { !curves.thresholds.isEmpty }
}

extension [DrawnDetector] {
  /// Why shares have no value; `nil` if they have one. The labels are those of both detectors.
  fileprivate var missingClass: String? {
    guard let curves = first?.curves, !curves.hasBothClasses else { return nil }
    return curves.speechCells == 0 ? "no speech is labelled" : "there is nothing but speech"
  }

  /// The message that there is no curve.
  fileprivate func noScores(in panel: PlotPanel) -> [String] {
    contains(where: \.hasScores) ? [] : [panel.message("segments have no probabilities")]
  }
}
