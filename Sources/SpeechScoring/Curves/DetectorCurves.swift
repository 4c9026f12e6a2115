/// What a detector's figures summarise, for pictures: the counts at every threshold, the reliability, and all
/// latencies.
public struct DetectorCurves: Sendable {
  /// The cells that count as detected.
  public struct Counts: Sendable, Hashable {
    /// The number of cells of speech.
    public var hits = 0
    /// The number of cells of non-speech.
    public var falseAlarms = 0

    /// The share of speech among them; `nil` if there are none.
    public var precision: Double? {
      hits + falseAlarms > 0 ? Double(hits) / Double(hits + falseAlarms) : nil
    }
  }

  /// The number of cells labelled as speech.
  public var speechCells: Int
  /// The number of all other cells.
  public var otherCells: Int
  /// The counts of the detector's own decisions.
  public var decisions: Counts
  /// The counts as the threshold falls to each of the scores, from no cell to all of them; empty without scores.
  public var thresholds: [Counts]
  /// The reliability; `nil` without scores, or if they are not probabilities.
  public var reliability: Reliability?
  /// The latencies of the onsets that were detected, in milliseconds, ascending.
  public var onsetLatencies: [Int]
  /// The latencies of the offsets, in milliseconds, ascending.
  public var offsetLatencies: [Int]
}

extension DetectorCurves {
  /// Whether there are both speech and other cells, without which shares of them have no value.
  public var hasBothClasses: Bool { speechCells > 0 && otherCells > 0 }

  /// Returns the share of speech among the counts.
  public func recall(_ counts: Counts) -> Double { Double(counts.hits) / Double(speechCells) }

  /// Returns the share of all non-speech that is among the counts.
  public func falseAlarmRate(_ counts: Counts) -> Double {
    Double(counts.falseAlarms) / Double(otherCells)
  }
}

extension DetectorCurves {
  /// Collects the curves of several recordings together; `ranking` is `nil` without scores.
  init(_ tallies: [DecisionTally], _ ranking: ScoreRanking?) {
    let sum = { (count: (DecisionTally) -> Int) in tallies.reduce(0) { $0 + count($1) } }
    decisions = Counts(hits: sum(\.hits), falseAlarms: sum(\.falseAlarms))
    speechCells = decisions.hits + sum(\.misses)
    otherCells = decisions.falseAlarms + sum(\.rejections)
    thresholds = ranking?.counts ?? []
    reliability = ranking?.reliability
    let sorted = { (delays: (DecisionTally) -> [Int]) in
      tallies.flatMap(delays).map { $0 * CellGrid.cellMilliseconds }.sorted()
    }
    onsetLatencies = sorted(\.onsetDelays)
    offsetLatencies = sorted(\.offsetDelays)
  }
}

extension ScoreRanking {
  /// The counts as the threshold falls to each of the scores, from no cell to all of them.
  fileprivate var counts: [DetectorCurves.Counts] {
    var counts = [DetectorCurves.Counts()]
    forEachScore { speech, others in
      var next = counts[counts.count - 1]
      next.hits += speech
      next.falseAlarms += others
      counts.append(next)
    }
    return counts
  }
}
