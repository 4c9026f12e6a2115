/// The cells of several recordings, in descending order of score. All figures that do not depend on the detector's own
/// threshold follow from it.
struct ScoreRanking: Sendable {
  /// Cells of one recording with the same score and label.
  private struct Entry {
    var score: Double
    /// Twice the recording's index, plus one for speech.
    var code: UInt32
    var count: UInt32

    var recording: Int { Int(code >> 1) }
    var isSpeech: Bool { code & 1 == 1 }
  }

  private var entries: [Entry] = []

  /// Creates the ranking of one recording, whose index is 0.
  init(scores: [Double], labelled: [Bool]) {
    entries.reserveCapacity(scores.count)
    for (score, isSpeech) in zip(scores, labelled) {
      entries.append(Entry(score: score, code: isSpeech ? 1 : 0, count: 1))
    }
    sort()
    merge()
  }

  /// Merges the rankings of several recordings. The index of each is its position in `parts`.
  init(merging parts: [ScoreRanking]) {
    entries.reserveCapacity(parts.reduce(0) { $0 + $1.entries.count })
    for (index, part) in parts.enumerated() {
      for var entry in part.entries {
        entry.code += UInt32(2 * index)
        entries.append(entry)
      }
    }
    // The parts are already sorted runs, which Swift's sort merges.
    sort()
  }

  private mutating func sort() {
    entries.sort { ($1.score, $0.code) < ($0.score, $1.code) }
  }

  /// Joins adjacent entries that are equal.
  private mutating func merge() {
    var last = 0
    for index in entries.indices.dropFirst() {
      if entries[index].score == entries[last].score, entries[index].code == entries[last].code {
        entries[last].count += 1
      } else {
        last += 1
        entries[last] = entries[index]
      }
    }
    entries.removeLast(entries.count - min(entries.count, last + 1))
  }
}

extension ScoreRanking {
  /// The reliability; `nil` if a score is not a probability.
  var reliability: Reliability? {
    var reliability = Reliability()
    let allCount = entries.allSatisfy {
      reliability.add($0.score, isSpeech: $0.isSpeech, count: Int($0.count))
    }
    return allCount ? reliability : nil
  }

  /// Calls `body` with the numbers of speech and of other cells that have each score, in descending order of score.
  func forEachScore(_ body: (_ speech: Int, _ others: Int) -> Void) {
    var (speech, others) = (0, 0)
    for (index, entry) in entries.enumerated() {
      if entry.isSpeech { speech += Int(entry.count) } else { others += Int(entry.count) }
      if index + 1 < entries.count, entries[index + 1].score == entry.score { continue }
      body(speech, others)
      (speech, others) = (0, 0)
    }
  }

  /// Returns the curve for eight weightings.
  ///
  /// `weights[i]` is how often recording i counts, in each lane; `speech` and `rest` are the resulting numbers of
  /// cells.
  func curve(weights: [Lanes], speech: Lanes, rest: Lanes) -> ScoreCurve {
    var curve = ScoreCurve(speech: speech, rest: rest)
    var addsSpeech = false
    for (index, entry) in entries.enumerated() {
      let weight = weights[entry.recording] * Double(entry.count)
      if entry.isSpeech {
        curve.hits += weight
        addsSpeech = true
      } else {
        curve.falseAlarms += weight
      }
      if index + 1 < entries.count, entries[index + 1].score == entry.score { continue }
      curve.step(entry.score, addsSpeech: addsSpeech)
      addsSpeech = false
    }
    return curve
  }
}
