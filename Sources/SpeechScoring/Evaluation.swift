public import Annotations

/// The calculation of figures from labels and detections.
public struct Evaluation {
  /// The time added to all detections, in seconds.
  public var shift: Double
  /// The minimum gap in milliseconds; see ``DecisionTally``.
  public var minGap: Int
  /// The draws for the intervals.
  public var bootstrap: Bootstrap
  /// The lengths of the recordings. With `nil`, a recording ends where its frames end or where a file states its end,
  /// whichever is later, or else with the last segment of all sides.
  public var map: EvaluationMap?
  /// Whether to compute the reliability.
  public var reportsReliability: Bool
  /// Whether to collect the curves.
  public var reportsCurves: Bool

  /// Creates an evaluation.
  public init(
    shift: Double = 0, minGap: Int = 200, bootstrap: Bootstrap = Bootstrap(),
    map: EvaluationMap? = nil, reportsReliability: Bool = false, reportsCurves: Bool = false
  ) {
    (self.shift, self.minGap, self.bootstrap) = (shift, minGap, bootstrap)
    (self.map, self.reportsReliability) = (map, reportsReliability)
    self.reportsCurves = reportsCurves
  }

  /// Computes the figures. Throws ``MissingLength`` if a recording is not in the evaluation map.
  public func comparison(of recordings: [ComparedRecording]) throws(MissingLength) -> Comparison {
    var scored: [ScoredRecording] = []
    for recording in recordings { scored.append(try score(recording)) }
    let folders = Set(scored.map(\.folder)).sorted()
    let reliability = reportsReliability ? Pool(scored.map(\.detected)).reliability : nil
    return Comparison(
      pooled: section("pooled", scored),
      folders: folders.count < 2
        ? []
        : folders.map { folder in
          section(folder.isEmpty ? "." : folder, scored.filter { $0.folder == folder })
        },
      files: scored.map { section($0.name, [$0]) },
      reliability: reliability,
      curves: reportsCurves ? curves(scored) : [],
      warnings: lengthWarning(recordings) + coverageWarning(scored) + scored.flatMap(\.warnings)
        + reliabilityWarning(reliability))
  }

  private func reliabilityWarning(_ reliability: Reliability?) -> [String] {
    reportsReliability && reliability == nil
      ? ["there are no probabilities from 0 to 1, so --reliability has nothing to report"] : []
  }

  private func curves(_ recordings: [ScoredRecording]) -> [DetectorCurves] {
    let sides = [recordings.map(\.detected), recordings.compactMap(\.against)]
    return sides.filter { !$0.isEmpty }.map { Pool($0).curves }
  }

  private func lengthWarning(_ recordings: [ComparedRecording]) -> [String] {
    let unknown = recordings.filter { $0.end == nil }
    guard map == nil, let first = unknown.first else { return [] }
    let others = unknown.count > 1 ? ", nor \(Annotations.counted(unknown.count - 1, "other"))" : ""
    return [
      "no file states how long \(first.name) is\(others), so it is taken to end with its last segment; give the lengths in "
        + "an evaluation map (UEM)"
    ]
  }

  private func coverageWarning(_ recordings: [ScoredRecording]) -> [String] {
    var coverage = LabelCoverage()
    for recording in recordings {
      let tally = recording.detected.tally
      coverage.add(recording.name, labelled: tally.hits + tally.misses, of: tally.cells)
    }
    return coverage.warning.map { [$0] } ?? []
  }

  private func section(_ name: String, _ recordings: [ScoredRecording]) -> Comparison.Section {
    Comparison.Section(
      name, recordings.map(\.detected), against: recordings.compactMap(\.against), bootstrap)
  }
}

extension Comparison.Section {
  /// Computes the figures of two detectors, the one in `tallies` and the one in `against`, on the same recordings.
  public init(
    name: String, tallies: [DecisionTally], against: [DecisionTally], bootstrap: Bootstrap
  ) {
    self.init(
      name, tallies.map { Pool.Part(tally: $0) }, against: against.map { Pool.Part(tally: $0) },
      bootstrap)
  }

  /// Without a second detector, `others` is empty.
  fileprivate init(
    _ name: String, _ parts: [Pool.Part], against others: [Pool.Part], _ bootstrap: Bootstrap
  ) {
    let pool = Pool(parts)
    let resampled = bootstrap.figures(of: pool, recordings: parts.count)
    self.init(
      name: name, tallies: parts.map(\.tally),
      detected: Estimate(values: pool.figures, resampled: resampled))
    guard !others.isEmpty else { return }
    let against = Pool(others)
    let otherResampled = bootstrap.figures(of: against, recordings: parts.count)
    self.against = Estimate(values: against.figures, resampled: otherResampled)
    difference = Estimate(
      values: pool.figures - against.figures,
      resampled: zip(resampled, otherResampled).map { $0 - $1 })
  }
}

/// The counts of one recording.
private struct ScoredRecording {
  var name: String
  var folder: String
  var detected: Pool.Part
  var against: Pool.Part?
  var warnings: [String]
}

extension Evaluation {
  private func score(_ recording: ComparedRecording) throws(MissingLength) -> ScoredRecording {
    let count = try cellCount(recording)
    let labelled = CellGrid.cells(recording.reference, count: count)
    return ScoredRecording(
      name: recording.name, folder: recording.folder,
      detected: part(recording.detected, labelled),
      against: recording.against.map { part($0, labelled) },
      warnings: warnings(recording, count: count))
  }

  private func part(_ track: LabelTrack, _ labelled: [Bool]) -> Pool.Part {
    let (decisions, scores) = cells(track, count: labelled.count)
    return Pool.Part(
      tally: DecisionTally(labelled: labelled, detected: decisions, minGap: minGap),
      ranking: scores.map { ScoreRanking(scores: $0, labelled: labelled) })
  }

  func cellCount(_ recording: ComparedRecording) throws(MissingLength) -> Int {
    if let map {
      if let end = map.ends[recording.name] { return CellGrid.count(in: end) }
      throw MissingLength(recording: recording.name)
    }
    if let end = recording.end { return CellGrid.count(in: end) }
    let ends = recording.tracks.flatMap(\.spans) + recording.reference
    return CellGrid.firstCell(from: ends.map(\.end).max() ?? 0)
  }

  /// Returns warnings about differing ends. Half a second is longer than any rounding or frame, but no label may be
  /// lost.
  private func warnings(_ recording: ComparedRecording, count: Int) -> [String] {
    let end = Double(count) * CellGrid.cellLength
    var warnings = recording.frameEnds.filter { end - $0 > 0.5 }.map { frameEnd in
      "\(recording.name): the frames end \(fixed(end - frameEnd, places: 2)) s before the "
        + "recording; the last one is taken to hold"
    }
    let isAnyBehind = recording.reference.contains { $0.start >= end }
    if let last = recording.reference.map(\.end).max(), last - end > 0.5 || isAnyBehind {
      warnings.append(
        "\(recording.name): the labels reach \(fixed(last - end, places: 2)) s past the end of the "
          + "recording and are cut off there")
    }
    return warnings
  }
}

extension ComparedRecording {
  fileprivate var tracks: [LabelTrack] { [detected] + (against.map { [$0] } ?? []) }

  /// The end that frames show or files state, in seconds; `nil` if it is unknown.
  fileprivate var end: Double? { (frameEnds + (statedLength.map { [$0] } ?? [])).max() }

  fileprivate var frameEnds: [Double] {
    tracks.compactMap { if case .frames(let frames) = $0 { frames.end } else { nil } }
  }
}

extension LabelTrack {
  fileprivate var spans: [LabelledSpan] { if case .spans(let spans) = self { spans } else { [] } }
}
