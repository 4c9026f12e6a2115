/// Recordings with the results of one detector, from which figures can be computed for any weights.
struct Pool: Sendable {
  /// The results of one recording.
  struct Part: Sendable {
    var tally: DecisionTally
    /// The ranking; `nil` if the detector gave segments without scores.
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

  /// The reliability; `nil` without scores, or if they are not probabilities.
  var reliability: Reliability? { ranking?.reliability }

  /// What the figures summarise.
  var curves: DetectorCurves { DetectorCurves(tallies, ranking) }

  /// The figures with every recording counted once.
  var figures: Figures {
    figures(weights: Array(repeating: Lanes(repeating: 1), count: tallies.count))[0]
  }

  /// Returns the figures of each lane; `weights` has one element for each recording.
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

extension [DecisionTally] {
  /// The figures of all recordings together.
  public var figures: Figures { Pool(map { Pool.Part(tally: $0) }).figures }
}

/// A latency, in cells, and the recording that it belongs to.
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
