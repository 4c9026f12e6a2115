/// What settings are tuned for.
public enum TuningObjective: Sendable, Hashable {
  /// The highest F1.
  case f1
  /// The highest hit rate at a false alarm rate of at most this, 0 … 1.
  case falseAlarmRate(Double)
  /// The highest F1 at a median onset latency of at most this many milliseconds.
  case onsetLatency(Double)

  /// The figure to raise.
  public var figure: Figure {
    switch self {
    case .f1, .onsetLatency: .f1
    case .falseAlarmRate: .recall
    }
  }

  /// The figure that must not be above its limit; `nil` if there is none.
  public var bound: (figure: Figure, limit: Double)? {
    switch self {
    case .f1: nil
    case .falseAlarmRate(let limit): (.falseAlarmRate, limit)
    case .onsetLatency(let limit): (.onsetP50, limit)
    }
  }

  /// How well figures meet the objective: first how little they are above the limit, then the figure to raise.
  public struct Score: Sendable, Hashable, Comparable {
    var excess: Double
    var value: Double

    /// Returns whether `left` is worse. Differences by rounding do not count.
    public static func < (left: Score, right: Score) -> Bool {
      if abs(left.excess - right.excess) > tolerance { return left.excess > right.excess }
      return left.value < right.value - tolerance
    }

    private static let tolerance = 1e-9
  }

  /// Returns the score of figures. A figure without a value counts as 0: nothing was found, or nothing was wrong.
  public func score(_ figures: Figures) -> Score {
    Score(excess: excess(figures), value: figures[figure] ?? 0)
  }

  /// Returns whether the figures are within the limit.
  public func keepsBound(_ figures: Figures) -> Bool { excess(figures) <= 0 }

  private func excess(_ figures: Figures) -> Double {
    bound.map { max(0, (figures[$0.figure] ?? 0) - $0.limit) } ?? 0
  }
}
