/// The value below which a given share of values lies, interpolated linearly (Hyndman and Fan, 1996, type 7).
struct Percentile {
  let share: Double

  /// Returns the percentile of `values`, which must be in ascending order, or `nil` if there are none.
  func of(_ values: [Double]) -> Double? {
    of(values.map { (value: $0, weight: 1) })
  }

  /// Returns the percentile of values repeated according to their weights, which must be whole numbers.
  func of(_ values: some Collection<(value: Double, weight: Double)>) -> Double? {
    let count = values.reduce(0) { $0 + $1.weight }
    guard count > 0 else { return nil }
    let rank = share * (count - 1)
    var seen = 0.0
    var lower: Double?
    for (value, weight) in values where weight > 0 {
      seen += weight
      if lower == nil, seen > rank.rounded(.down) { lower = value }
      // This is the value above the rank. If the rank is whole, its weight in the interpolation is 0.
      if let lower, seen > rank.rounded(.up) {
        return lower + (value - lower) * (rank - rank.rounded(.down))
      }
    }
    return lower
  }
}
