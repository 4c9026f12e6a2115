public import Annotations

/// The result of `vadmon compare`.
public struct Comparison: Sendable {
  /// The results of several recordings together.
  public struct Section: Sendable {
    /// The name of the folder or recording.
    public var name: String
    /// The tallies of the detected side.
    public var tallies: [DecisionTally]
    /// The figures of the detected side.
    public var detected: Estimate
    /// The figures of the other detector, if there is one.
    public var against: Estimate?
    /// Detected minus against, with intervals of the paired difference.
    public var difference: Estimate?
  }

  /// All recordings together.
  public var pooled: Section
  /// One section for each sub-folder of the reference; empty if there is only one.
  public var folders: [Section]
  /// One section for each recording.
  public var files: [Section]
  /// The reliability over all recordings, if it was requested and there are probabilities.
  public var reliability: Reliability?
  /// The curves of the detected side and of the other detector over all recordings, if they were requested.
  public var curves: [DetectorCurves]
  /// One sentence for each warning.
  public var warnings: [String]
}

extension Comparison.Section {
  /// Returns the sum of a count over the recordings.
  public func sum(_ count: (DecisionTally) -> Int) -> Int { tallies.reduce(0) { $0 + count($1) } }

  /// The total length of the recordings.
  public var duration: MediaTime { MediaTime(cells: sum(\.cells)) }
  /// The total length of labelled speech.
  public var speech: MediaTime { MediaTime(cells: sum { $0.hits + $0.misses }) }
  /// The total length of recordings in which no speech is labelled.
  public var speechless: MediaTime { MediaTime(cells: sum { $0.hasSpeech ? 0 : $0.cells }) }
  /// The number of labelled onsets that count for the latency.
  public var onsets: Int { sum { $0.onsetDelays.count + $0.lostOnsets } }
}

extension MediaTime {
  /// The start of a cell, or the length of so many.
  public init(cells: Int) {
    self.init(milliseconds: UInt64(cells * CellGrid.cellMilliseconds))
  }
}
