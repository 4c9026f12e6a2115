/// Whether tuned settings are better than those before on recordings that they were not tuned on.
public struct TuningVerdict: Sendable {
  /// What the decision rests on: the objective's figure, or that of its bound, if the settings before miss the bound.
  public var figure: Figure
  /// Tuned minus before; `nil` if one of them has no value.
  public var difference: Double?
  /// The 95 % interval of the difference; `nil` with too few recordings that have a value.
  public var interval: ClosedRange<Double>?
  /// Whether the settings before and the tuned ones are within the bound.
  public var keptBound: (before: Bool, tuned: Bool)
  /// By how much F1 falls, where the tuned settings approach the bound without keeping it and the interval shows that
  /// F1 falls; otherwise `nil`.
  public var price: Double?
  /// Whether the interval shows a gain without such a price, and the tuned settings do not break a bound that those
  /// before keep.
  public var isGain: Bool

  /// The fewest recordings that can show a gain: five that all agree do so by chance in one case of sixteen.
  public static let fewest = 6

  /// Judges held-out figures: those of the tuned settings, against those before.
  public init(_ section: Comparison.Section, _ objective: TuningObjective) {
    let before = section.against?.values ?? [:]
    keptBound = (objective.keepsBound(before), objective.keepsBound(section.detected.values))
    let isBoundMissed = !keptBound.before
    figure = (isBoundMissed ? objective.bound?.figure : nil) ?? objective.figure
    difference = section.difference?.values[figure]
    interval = section.difference?.intervals[figure]
    let excludesZero =
      interval.map { isBoundMissed ? $0.upperBound < 0 : $0.lowerBound > 0 } ?? false
    let isBetter = excludesZero && section.tallies.count >= Self.fewest
    let falls = (section.difference?.intervals[.f1]?.upperBound).map { $0 < 0 } ?? false
    price =
      isBetter && isBoundMissed && !keptBound.tuned && falls
      ? section.difference?.values[.f1].map { -$0 } : nil
    isGain = isBetter && price == nil && (isBoundMissed || keptBound.tuned)
  }
}
