/// Figures with their 95 % percentile intervals, which only several recordings have.
struct Estimate: Sendable {
  var values: Figures
  var intervals: [Figure: ClosedRange<Double>] = [:]

  init(values: Figures) { self.values = values }

  /// Over the resamples in which a figure has a value.
  init(values: Figures, resampled: [Figures]) {
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
  /// Of those figures that both have.
  static func - (left: Figures, right: Figures) -> Figures {
    left.reduce(into: [:]) { differences, entry in
      differences[entry.key] = right[entry.key].map { entry.value - $0 }
    }
  }
}
