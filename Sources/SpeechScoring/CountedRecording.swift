internal import Annotations

/// What ``Evaluation`` counts of one recording: runs of cells of 10 ms, and the score of each cell.
public struct CountedRecording: Sendable {
  /// The length in cells.
  public let count: Int
  /// The cells in which speech is labelled.
  public let labelled: [Range<Int>]
  /// The cells in which speech was detected.
  public let detected: [Range<Int>]
  /// The cells in which the other detector found speech; `nil` if there is none.
  public let against: [Range<Int>]?
  /// The cells with labelled speech in which none was detected.
  public let missed: [Range<Int>]
  /// The cells without labelled speech in which some was detected.
  public let falseAlarms: [Range<Int>]
  /// The score of each cell; `nil` if the detector gave segments.
  public let scores: [Double]?
}

extension Evaluation {
  /// Returns what is counted of a recording. Throws ``MissingLength`` if it is not in the evaluation map.
  public func counted(_ recording: ComparedRecording) throws(MissingLength) -> CountedRecording {
    let count = try cellCount(recording)
    let labelled = CellGrid.cells(recording.reference, count: count)
    let (detected, scores) = cells(recording.detected, count: count)
    let pairs = zip(labelled, detected)
    return CountedRecording(
      count: count, labelled: CellGrid.runs(labelled), detected: CellGrid.runs(detected),
      against: recording.against.map { CellGrid.runs(cells($0, count: count).decisions) },
      missed: CellGrid.runs(pairs.map { $0 && !$1 }),
      falseAlarms: CellGrid.runs(pairs.map { !$0 && $1 }), scores: scores)
  }

  /// Returns the decision and, from frames, the score of each cell.
  func cells(_ track: LabelTrack, count: Int) -> (decisions: [Bool], scores: [Double]?) {
    switch track {
    case .spans(let spans): return (CellGrid.cells(spans, count: count, shift: shift), nil)
    case .frames(let frames):
      let cells = CellGrid.cells(frames, count: count, shift: shift)
      return (cells.decisions, cells.scores)
    }
  }
}
