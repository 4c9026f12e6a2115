/// Eight weightings of the recordings at a time: a pass down a long ranking waits for memory, not for
/// arithmetic, and the bootstrap makes a thousand of them.
typealias Lanes = SIMD8<Double>

/// What is integrated while the threshold falls from above the highest score to the lowest. Cells with the same
/// score pass it together.
///
/// Counts are whole numbers below 2^26 or so, whose products are exact: fractions are compared crosswise, and a
/// step divides only where speech was found.
struct ScoreCurve: Sendable {
  /// Cells above the threshold so far.
  var hits = Lanes.zero
  var falseAlarms = Lanes.zero
  /// All cells.
  private let speech: Lanes
  private let rest: Lanes
  /// At the threshold before.
  private var hitsBefore = Lanes.zero
  private var falseAlarmsBefore = Lanes.zero
  /// Twice the area under the receiver operating characteristic, in cells squared.
  private var doubleArea = Lanes.zero
  private var precisionSum = Lanes.zero
  /// Where false alarm rate and miss rate are the same, on the straight line between two thresholds.
  private(set) var equalErrorRate = Lanes(repeating: .nan)
  private var hasCrossed = SIMDMask<SIMD8<Int64>>(repeating: false)
  /// At the threshold with the best F1 = 2 hits / (all above + speech), the highest of those that are the same.
  private var bestHits = Lanes.zero
  private var bestDivisor = Lanes(repeating: 1)
  private(set) var bestThreshold = Lanes(repeating: .nan)

  init(speech: Lanes, rest: Lanes) { (self.speech, self.rest) = (speech, rest) }

  /// There is speech, and something else; only then have the figures a value.
  func isDefined(lane: Int) -> Bool { speech[lane] > 0 && rest[lane] > 0 }

  /// By the trapezoidal rule, so that cells of the same score count half (Fawcett, "An introduction to ROC
  /// analysis", 2006, algorithm 2).
  var areaUnderCurve: Lanes { doubleArea / (2 * speech * rest) }

  /// Precision averaged over recall, without interpolation.
  var averagePrecision: Lanes { precisionSum / speech }

  var bestF1: Lanes { 2 * bestHits / bestDivisor }

  /// All cells down to `score` are in `hits` and `falseAlarms`; some of those that are new may be speech.
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

  /// False alarm rate less miss rate rises from -1 to 1; here it is multiplied by speech and rest.
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
