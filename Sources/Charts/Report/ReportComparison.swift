internal import Annotations
package import SpeechScoring

/// What a page of a comparison shows of one recording.
package struct ReportComparison: Sendable {
  /// What was counted.
  package let counted: CountedRecording
  /// F1 with the places that the table of figures has; `nil` if neither side has speech.
  package let f1: String?

  package init(_ counted: CountedRecording, f1: String?) {
    (self.counted, self.f1) = (counted, f1)
  }

  /// The result in words.
  var notes: [String] {
    let time = { (runs: [Range<Int>]) in MediaTime(cells: Self.length(runs)).clock }
    return (f1.map { ["F1 \($0)"] } ?? [])
      + (counted.missed.isEmpty ? [] : ["missed \(time(counted.missed))"])
      + (counted.falseAlarms.isEmpty ? [] : ["false alarms \(time(counted.falseAlarms))"])
  }

  var json: JSONValue {
    [
      "labels": Self.spans(counted.labelled),
      "against": counted.against.map(Self.spans) ?? .null,
      "missed": Self.spans(counted.missed), "falseAlarms": Self.spans(counted.falseAlarms),
      "f1": f1.map { .string($0) } ?? .null,
    ]
      + (counted.scores.map(Self.hops) ?? [:])
  }

  private static func hops(_ scores: [Double]) -> JSONValue {
    let (low, high) = range(scores)
    let heights: JSONValue = .string(SampleText.base64(heights(scores, low, high)))
    let hops: JSONValue = ["hops": ["posterior": heights]]
    return low == 0 && high == 1 ? hops : hops + ["scores": .array([.double(low), .double(high)])]
  }

  /// Returns the scale of scores: their own range if they are not all from 0 to 1.
  private static func range(_ scores: [Double]) -> (low: Double, high: Double) {
    let (low, high) = (scores.min() ?? 0, scores.max() ?? 0)
    return low >= 0 && high <= 1 ? (0, 1) : (low, high)
  }

  /// Returns scores on the scale of posteriors.
  private static func heights(_ scores: [Double], _ low: Double, _ high: Double) -> [UInt16] {
    // Halves, because the range of the largest numbers is infinite.
    let range = high / 2 - low / 2
    return scores.map { score in
      let part = range > 0 ? (score / 2 - low / 2) / range : 0
      return UInt16((part * Double(PosteriorScale.steps)).rounded())
    }
  }

  private static func length(_ runs: [Range<Int>]) -> Int { runs.reduce(0) { $0 + $1.count } }

  private static func spans(_ runs: [Range<Int>]) -> JSONValue {
    .array(runs.map { .pair(MediaTime(cells: $0.lowerBound), MediaTime(cells: $0.upperBound)) })
  }
}
