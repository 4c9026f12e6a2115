/// Whether tuned settings are better than those before on recordings that they were not tuned on.
public struct TuningVerdict: Sendable {
  /// What the decision rests on: the objective's figure, or that of its bound, if the settings before miss the bound.
  /// Settings that find no speech have no F1, and are compared by recall.
  public var figure: Figure
  /// Tuned minus before; `nil` if one of them has no value.
  public var difference: Double?
  /// The 95 % interval of the difference; `nil` with too few recordings that have a value.
  public var interval: ClosedRange<Double>?
  /// Whether the settings before and the tuned ones are within the bound.
  public var keptBound: (before: Bool, tuned: Bool)
  /// Whether the interval shows a gain, and the tuned settings do not break a bound that those before keep.
  public var isGain: Bool

  /// Judges held-out figures: those of the tuned settings, against those before.
  public init(_ section: Comparison.Section, _ objective: TuningObjective) {
    let before = section.against?.values ?? [:]
    keptBound = (objective.keepsBound(before), objective.keepsBound(section.detected.values))
    let isBoundMissed = !keptBound.before
    let raised = before[objective.figure] == nil ? .recall : objective.figure
    figure = isBoundMissed ? objective.bound?.figure ?? raised : raised
    difference = section.difference?.values[figure]
    interval = section.difference?.intervals[figure]
    let isBetter = interval.map { isBoundMissed ? $0.upperBound < 0 : $0.lowerBound > 0 } ?? false
    isGain = isBetter && (isBoundMissed || keptBound.tuned)
  }
}
