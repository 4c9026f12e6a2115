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
      + (counted.scores.map {
        ["hops": ["posterior": .string(SampleText.base64(Self.heights($0)))]]
      } ?? [:])
  }

  /// Returns scores on the scale of posteriors. Scores that are not all from 0 to 1 fill it with their own range.
  private static func heights(_ scores: [Double]) -> [UInt16] {
    var (low, high) = (scores.min() ?? 0, scores.max() ?? 0)
    if low >= 0, high <= 1 { (low, high) = (0, 1) }
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
