/// The counts of a detector's decisions in one recording, in cells of 10 ms.
public struct DecisionTally: Sendable, Hashable {
  /// The number of cells of speech that was detected.
  public var hits = 0
  /// The number of cells of non-speech detected as speech.
  public var falseAlarms = 0
  /// The number of cells of speech that was missed.
  public var misses = 0
  /// The number of cells of non-speech that was not detected.
  public var rejections = 0
  /// The number of runs of labelled cells.
  public var labelledSegments = 0
  /// The number of runs of speech decisions.
  public var foundSegments = 0
  /// The time in cells from the start of a labelled segment to the first speech decision in it, for each segment
  /// preceded by at least `minGap` of non-speech.
  public var onsetDelays: [Int] = []
  /// The number of such segments without a speech decision.
  public var lostOnsets = 0
  /// The time in cells from the end of a labelled segment to the first non-speech decision, at most to the next
  /// segment. There is one for each segment that was at least partly detected and that at least `minGap` of non-speech
  /// follows.
  public var offsetDelays: [Int] = []
  /// The number of runs of speech decisions in a recording without labelled speech.
  public var alarms = 0
  /// The number of episodes: alarms less than 300 ms apart are joined, and those shorter than 100 ms are ignored.
  public var episodes = 0

  /// The number of cells.
  public var cells: Int { hits + falseAlarms + misses + rejections }
  /// Whether any speech is labelled.
  public var hasSpeech: Bool { labelledSegments > 0 }

  /// Counts the decisions of a recording; `minGap` is in milliseconds.
  public init(labelled: [Bool], detected: [Bool], minGap: Int) {
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

  /// Returns the number of alarms as a listener would count them: alarms less than 300 ms apart are joined, and those
  /// then shorter than 100 ms are ignored.
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
