/// The value below which a share of them lies, between two by a straight line (Hyndman and Fan, 1996, type 7).
struct Percentile {
  let share: Double

  /// `values` in rising order; `nil` of none.
  func of(_ values: [Double]) -> Double? {
    of(values.map { (value: $0, weight: 1) })
  }

  /// Each value as often as its weight says, a whole number.
  func of(_ values: some Collection<(value: Double, weight: Double)>) -> Double? {
    let count = values.reduce(0) { $0 + $1.weight }
    guard count > 0 else { return nil }
    let rank = share * (count - 1)
    var seen = 0.0
    var lower: Double?
    for (value, weight) in values where weight > 0 {
      seen += weight
      if lower == nil, seen > rank.rounded(.down) { lower = value }
      // The neighbour above the rank; where the rank is whole it has no part.
      if let lower, seen > rank.rounded(.up) {
        return lower + (value - lower) * (rank - rank.rounded(.down))
      }
    }
    return lower
  }
}
