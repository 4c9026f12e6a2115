/// The sum of several recordings' tallies, each multiplied by its weight.
struct DecisionTotals: Sendable {
  private var hits = Lanes.zero
  private var falseAlarms = Lanes.zero
  private var misses = Lanes.zero
  private var rejections = Lanes.zero
  private var labelledSegments = Lanes.zero
  private var foundSegments = Lanes.zero
  private var onsets = Lanes.zero
  private var lostOnsets = Lanes.zero
  private var alarms = Lanes.zero
  private var episodes = Lanes.zero
  /// The cells of false alarms and all cells, both in recordings without labelled speech.
  private var alarmCells = Lanes.zero
  private var speechlessCells = Lanes.zero

  init(_ tallies: [DecisionTally], weights: [Lanes]) {
    for (tally, weight) in zip(tallies, weights) { add(tally, weight) }
  }

  /// The number of cells labelled as speech, and below it that of all others.
  var speech: Lanes { hits + misses }
  var rest: Lanes { falseAlarms + rejections }

  private mutating func add(_ tally: DecisionTally, _ weight: Lanes) {
    hits += weight * Double(tally.hits)
    falseAlarms += weight * Double(tally.falseAlarms)
    misses += weight * Double(tally.misses)
    rejections += weight * Double(tally.rejections)
    labelledSegments += weight * Double(tally.labelledSegments)
    foundSegments += weight * Double(tally.foundSegments)
    onsets += weight * Double(tally.onsetDelays.count + tally.lostOnsets)
    lostOnsets += weight * Double(tally.lostOnsets)
    guard !tally.hasSpeech else { return }
    alarms += weight * Double(tally.alarms)
    episodes += weight * Double(tally.episodes)
    alarmCells += weight * Double(tally.falseAlarms)
    speechlessCells += weight * Double(tally.cells)
  }

  /// Returns the figures of a lane, without those that would divide by zero.
  func figures(lane: Int) -> Figures {
    let (hits, falseAlarms, misses) = (hits[lane], falseAlarms[lane], misses[lane])
    var figures: Figures = [:]
    figures[.falseAlarmRate] = ratio(falseAlarms, falseAlarms + rejections[lane])
    if hits + misses > 0 {
      figures[.f1] = 2 * hits / (2 * hits + falseAlarms + misses)
      figures[.precision] = ratio(hits, hits + falseAlarms)
      figures[.recall] = hits / (hits + misses)
      figures[.missRate] = 1 - hits / (hits + misses)
      figures[.foundPerLabelled] = ratio(foundSegments[lane], labelledSegments[lane])
    }
    figures[.lostOnsetRate] = ratio(lostOnsets[lane], onsets[lane])
    let hours = speechlessCells[lane] / CellGrid.cellsPerHour
    figures[.alarmsPerHour] = ratio(alarms[lane], hours)
    figures[.episodesPerHour] = ratio(episodes[lane], hours)
    figures[.alarmTimeRate] = ratio(alarmCells[lane], speechlessCells[lane])
    return figures
  }

  private func ratio(_ part: Double, _ whole: Double) -> Double? {
    whole > 0 ? part / whole : nil
  }
}
