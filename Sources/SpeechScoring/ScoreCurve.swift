/// Eight weightings of the recordings at a time. A pass over a long ranking is limited by memory, not by arithmetic,
/// and the bootstrap makes a thousand passes.
typealias Lanes = SIMD8<Double>

/// The integrals over the threshold as it falls from above the highest score to the lowest. Cells with equal scores
/// pass it together.
///
/// Counts are whole numbers below about 2^26, whose products are exact. Fractions are therefore compared by
/// cross-multiplication, and a step divides only if it found speech.
struct ScoreCurve: Sendable {
  /// The numbers of speech and of other cells above the threshold so far.
  var hits = Lanes.zero
  var falseAlarms = Lanes.zero
  /// The numbers of all speech cells and of all other cells.
  private let speech: Lanes
  private let rest: Lanes
  /// The counts at the previous threshold.
  private var hitsBefore = Lanes.zero
  private var falseAlarmsBefore = Lanes.zero
  /// Twice the area under the receiver operating characteristic, in cells squared.
  private var doubleArea = Lanes.zero
  private var precisionSum = Lanes.zero
  /// The rate at which false alarm rate and miss rate are equal, interpolated linearly between two thresholds.
  private(set) var equalErrorRate = Lanes(repeating: .nan)
  private var hasCrossed = SIMDMask<SIMD8<Int64>>(repeating: false)
  /// The counts at the threshold with the best F1 = 2 hits / (all above + speech). Of equal values, the highest
  /// threshold counts.
  private var bestHits = Lanes.zero
  private var bestDivisor = Lanes(repeating: 1)
  private(set) var bestThreshold = Lanes(repeating: .nan)

  init(speech: Lanes, rest: Lanes) { (self.speech, self.rest) = (speech, rest) }

  /// Returns whether there are both speech and other cells: otherwise the figures have no value.
  func isDefined(lane: Int) -> Bool { speech[lane] > 0 && rest[lane] > 0 }

  /// The area under the curve by the trapezoidal rule, so that cells of equal score count half (Fawcett, "An
  /// introduction to ROC analysis", 2006, algorithm 2).
  var areaUnderCurve: Lanes { doubleArea / (2 * speech * rest) }

  /// The precision averaged over recall, without interpolation.
  var averagePrecision: Lanes { precisionSum / speech }

  var bestF1: Lanes { 2 * bestHits / bestDivisor }

  /// Moves the threshold down to `score`. `hits` and `falseAlarms` must include all cells down to it; `addsSpeech` is
  /// whether any of the new ones are speech.
  @inline(__always)
  mutating func step(_ score: Double, addsSpeech: Bool) {
    doubleArea += (falseAlarms - falseAlarmsBefore) * (hits + hitsBefore)
    if addsSpeech { addHits(score) }
    if hasCrossed != .init(repeating: true) { findCrossing() }
    (hitsBefore, falseAlarmsBefore) = (hits, falseAlarms)
  }

  @inline(__always)
  private mutating func addHits(_ score: Double) {
    let above = hits + falseAlarms
    precisionSum += ((hits - hitsBefore) * hits / above).replacing(with: 0, where: above .== 0)
    let isBetter = hits * bestDivisor .> bestHits * (above + speech)
    bestHits.replace(with: hits, where: isBetter)
    bestDivisor.replace(with: above + speech, where: isBetter)
    bestThreshold.replace(with: score, where: isBetter)
  }

  /// Finds where false alarm rate minus miss rate, which rises from -1 to 1, crosses 0. Here it is multiplied by speech
  /// and rest.
  @inline(__always)
  private mutating func findCrossing() {
    let difference = falseAlarms * speech + hits * rest - speech * rest
    let crosses = (difference .>= 0) .& .!hasCrossed
    guard crosses != .init(repeating: false) else { return }
    let before = falseAlarmsBefore * speech + hitsBefore * rest - speech * rest
    let part = before / (before - difference)
    let rate = (falseAlarmsBefore + part * (falseAlarms - falseAlarmsBefore)) / rest
    equalErrorRate.replace(with: rate, where: crosses)
    hasCrossed .|= crosses
  }
}
