internal import Annotations

/// Whether labels leave silence in a recording. If an unknown mark of silence counts as speech, they cover all of it,
/// and every figure is wrong.
public struct LabelCoverage {
  /// The share of labelled cells from which a recording counts as covered. Pauses take more than 5 % of any longer
  /// speech, and with less silence than that, false alarms could not be measured either.
  static let share = 0.95
  /// The length from which a recording counts, 5 s in cells. A shorter one may be one phrase without a pause.
  static let leastCells = 500

  private var count = 0
  private var covered: [(name: String, share: Double)] = []

  /// Creates the coverage of no recording.
  public init() {}

  /// Adds a recording, with the numbers of its labelled cells and of all.
  public mutating func add(_ name: String, labelled: Int, of cells: Int) {
    count += 1
    let share = Double(labelled) / Double(max(cells, 1))
    if cells >= Self.leastCells, share >= Self.share { covered.append((name, share)) }
  }

  /// One sentence about all recordings that are covered; `nil` if there are none.
  public var warning: String? {
    guard let first = covered.first else { return nil }
    let percent = fixed((first.share * 1000).rounded(.down) / 10, places: 1)
    let others = covered.count > 1 ? ", as in \(covered.count) of \(count) recordings" : ""
    return
      "the labels of \(first.name) cover \(percent) % of it\(others): if some of them mark silence, name their texts with "
      + "--silence"
  }
}
