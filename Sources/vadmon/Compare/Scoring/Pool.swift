/// Some recordings and what one detector made of them, of which figures can be had for any weighting.
struct Pool: Sendable {
  /// One recording.
  struct Part: Sendable {
    var tally: DecisionTally
    /// `nil` where a detector gave segments and no scores.
    var ranking: ScoreRanking?
  }

  private let tallies: [DecisionTally]
  private let ranking: ScoreRanking?
  private let onsets: [Delay]
  private let offsets: [Delay]

  init(_ parts: [Part]) {
    tallies = parts.map(\.tally)
    let rankings = parts.compactMap(\.ranking)
    ranking = rankings.count == parts.count ? ScoreRanking(merging: rankings) : nil
    onsets = Delay.sorted(tallies.map(\.onsetDelays))
    offsets = Delay.sorted(tallies.map(\.offsetDelays))
  }

  /// `nil` without scores, or if they are no probabilities.
  var reliability: Reliability? { ranking?.reliability }

  /// Every recording once.
  var figures: Figures {
    figures(weights: Array(repeating: Lanes(repeating: 1), count: tallies.count))[0]
  }

  /// One for each lane; `weights` has one element for each recording.
  func figures(weights: [Lanes]) -> [Figures] {
    let totals = DecisionTotals(tallies, weights: weights)
    let curve = ranking?.curve(weights: weights, speech: totals.speech, rest: totals.rest)
    return (0..<Lanes.scalarCount).map { lane in
      var figures = totals.figures(lane: lane)
      figures.add(curve, lane: lane)
      figures.add(onsets, .onsetP50, .onsetP90) { weights[$0][lane] }
      figures.add(offsets, .offsetP50, .offsetP90) { weights[$0][lane] }
      return figures
    }
  }
}

/// One latency, in cells, and the recording it comes from.
private struct Delay: Sendable {
  var cells: Int
  var recording: Int

  static func sorted(_ delays: [[Int]]) -> [Delay] {
    delays.enumerated().flatMap { index, cells in
      cells.map { Delay(cells: $0, recording: index) }
    }.sorted { $0.cells < $1.cells }
  }
}

extension Figures {
  fileprivate mutating func add(_ curve: ScoreCurve?, lane: Int) {
    guard let curve, curve.isDefined(lane: lane) else { return }
    self[.auc] = curve.areaUnderCurve[lane]
    self[.ap] = curve.averagePrecision[lane]
    self[.eer] = curve.equalErrorRate[lane]
    self[.bestF1] = curve.bestF1[lane]
    self[.bestThreshold] = curve.bestThreshold[lane]
  }

  fileprivate mutating func add(
    _ delays: [Delay], _ median: Figure, _ p90: Figure, weight: (Int) -> Double
  ) {
    let values = delays.map {
      (value: Double($0.cells * CellGrid.cellMilliseconds), weight: weight($0.recording))
    }
    self[median] = Percentile(share: 0.5).of(values)
    self[p90] = Percentile(share: 0.9).of(values)
  }
}
