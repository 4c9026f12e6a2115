/// Figures with their 95 % percentile intervals, which exist only for several recordings.
public struct Estimate: Sendable {
  /// The figures.
  public var values: Figures
  /// The intervals of the figures that have one.
  public var intervals: [Figure: ClosedRange<Double>] = [:]

  /// Creates an estimate. Each interval covers the resamples in which the figure has a value.
  public init(values: Figures, resampled: [Figures]) {
    self.values = values
    for figure in values.keys {
      let sorted = resampled.compactMap { $0[figure] }.sorted()
      guard let low = Percentile(share: 0.025).of(sorted),
        let high = Percentile(share: 0.975).of(sorted)
      else { continue }
      intervals[figure] = low...high
    }
  }
}

extension Figures {
  /// Returns the differences of the figures that both sides have.
  static func - (left: Figures, right: Figures) -> Figures {
    left.reduce(into: [:]) { differences, entry in
      differences[entry.key] = right[entry.key].map { entry.value - $0 }
    }
  }
}
