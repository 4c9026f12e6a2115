/// Whether scores are calibrated: of the cells with a score near 0.7, seven in ten should be speech (reliability
/// diagrams: M. DeGroot and S. Fienberg, The Statistician 32, 1983).
public struct Reliability: Sendable, Equatable {
  /// The cells with scores from `lower` to below `lower` + 0.1; the last tenth includes 1.
  public struct Tenth: Sendable, Equatable {
    /// The lower bound of the scores.
    public var lower: Double
    /// The number of cells.
    public var cells = 0
    /// The number of cells labelled as speech.
    public var speechCells = 0
    /// The sum of the cells' scores.
    public var sumOfScores = 0.0

    /// The mean score; `nil` if there are no cells.
    public var meanScore: Double? { cells > 0 ? sumOfScores / Double(cells) : nil }
    /// The share of cells labelled as speech; `nil` if there are no cells.
    public var shareOfSpeech: Double? { cells > 0 ? Double(speechCells) / Double(cells) : nil }
  }

  /// The tenths of the range of scores, ascending.
  public private(set) var tenths = (0..<10).map { Tenth(lower: Double($0) / 10) }

  /// The expected calibration error, 0 … 1: the mean over all cells of the difference between the mean score and the
  /// share of speech.
  public var error: Double {
    let gaps = tenths.map { abs($0.sumOfScores - Double($0.speechCells)) }
    return gaps.reduce(0, +) / Double(max(1, tenths.reduce(0) { $0 + $1.cells }))
  }

  /// Counts cells with a score. Returns `false` and counts nothing if the score is not a probability.
  public mutating func add(_ score: Double, isSpeech: Bool, count: Int) -> Bool {
    guard (0...1).contains(score) else { return false }
    let index = min(Int(score * 10), 9)
    tenths[index].cells += count
    tenths[index].speechCells += isSpeech ? count : 0
    tenths[index].sumOfScores += score * Double(count)
    return true
  }
}
