/// What a detector's decisions in one recording amount to, counted in cells of 10 ms.
struct DecisionTally: Sendable, Hashable {
  /// Speech that was found, non-speech that was taken for speech, speech that was not found, the rest.
  var hits = 0
  var falseAlarms = 0
  var misses = 0
  var rejections = 0
  var labelledSegments = 0
  /// Runs of decisions for speech.
  var foundSegments = 0
  /// From the start of a labelled segment to the first decision for speech in it, in cells, for each segment
  /// that follows on `minGap` of non-speech.
  var onsetDelays: [Int] = []
  /// How many of those have no such decision.
  var lostOnsets = 0
  /// From the end of a labelled segment, of which something was found, to the first decision against speech;
  /// at most to the next segment. For each that `minGap` of non-speech follows.
  var offsetDelays: [Int] = []
  /// Runs of decisions for speech where nothing is labelled; see ``episodes(_:)``.
  var alarms = 0
  var episodes = 0

  var cells: Int { hits + falseAlarms + misses + rejections }
  var hasSpeech: Bool { labelledSegments > 0 }

  /// `minGap` in milliseconds.
  init(labelled: [Bool], detected: [Bool], minGap: Int) {
    count(labelled, detected)
    let segments = CellGrid.runs(labelled)
    let found = CellGrid.runs(detected)
    labelledSegments = segments.count
    foundSegments = found.count
    let bounds = [0] + segments.map(\.upperBound)
    let next = segments.dropFirst().map(\.lowerBound) + [labelled.count]
    for (index, segment) in segments.enumerated() {
      let isLong = { (gap: Int) in gap * CellGrid.cellMilliseconds >= minGap }
      if segment.lowerBound > 0, isLong(segment.lowerBound - bounds[index]) {
        addOnset(segment, detected)
      }
      if isLong(next[index] - segment.upperBound) {
        addOffset(segment, until: next[index], detected)
      }
    }
    if !hasSpeech { (alarms, episodes) = (found.count, Self.episodes(found)) }
  }

  private mutating func count(_ labelled: [Bool], _ detected: [Bool]) {
    for (isSpeech, isDetected) in zip(labelled, detected) {
      switch (isSpeech, isDetected) {
      case (true, true): hits += 1
      case (false, true): falseAlarms += 1
      case (true, false): misses += 1
      case (false, false): rejections += 1
      }
    }
  }

  private mutating func addOnset(_ segment: Range<Int>, _ detected: [Bool]) {
    guard let first = detected[segment].firstIndex(of: true) else {
      lostOnsets += 1
      return
    }
    onsetDelays.append(first - segment.lowerBound)
  }

  private mutating func addOffset(_ segment: Range<Int>, until next: Int, _ detected: [Bool]) {
    guard detected[segment].contains(true) else { return }
    let end = detected[segment.upperBound..<next].firstIndex(of: false) ?? next
    offsetDelays.append(end - segment.upperBound)
  }

  /// Alarms as a listener would count them: those less than 300 ms apart are one, and what is then shorter
  /// than 100 ms is none.
  private static func episodes(_ alarms: [Range<Int>]) -> Int {
    var episodes: [Range<Int>] = []
    for alarm in alarms {
      if let last = episodes.last, alarm.lowerBound - last.upperBound < 30 {
        episodes[episodes.count - 1] = last.lowerBound..<alarm.upperBound
      } else {
        episodes.append(alarm)
      }
    }
    return episodes.count { $0.count >= 10 }
  }
}
