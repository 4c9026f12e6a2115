import SpeechScoring

/// The search for the settings that meet an objective best.
///
/// It looks at the plane of the two thresholds, then at that of the two lengths, in turn until neither finds anything
/// better; then at the thresholds nearby, ever finer. Of equally good settings it keeps those that it found first,
/// beginning with those that it began with. It decides the same recordings by the same settings only once, however many
/// folds ask.
final class DecisionSearch {
  /// Decides every recording by each of some settings.
  typealias Decide = ([DecisionSettings]) -> [[DecisionTally]]

  private let objective: TuningObjective
  private let decide: Decide
  private var known: [DecisionSettings: [DecisionTally]] = [:]

  init(_ objective: TuningObjective, decide: @escaping Decide) {
    (self.objective, self.decide) = (objective, decide)
  }

  /// How many settings were tried.
  var tried: Int { known.count }

  /// Returns the tallies of all recordings, in their order.
  func tallies(_ settings: DecisionSettings) -> [DecisionTally] {
    learn([settings])
    return known[settings] ?? []
  }

  /// Returns the best settings for some of the recordings.
  func best(from start: DecisionSettings, for recordings: [Int]) -> DecisionSettings {
    var (best, before) = (start, start)
    repeat {
      before = best
      best = self.best(of: DecisionGrid.thresholds(of: best), or: best, recordings)
      best = self.best(of: DecisionGrid.lengths(of: best), or: best, recordings)
    } while best != before
    for step in DecisionGrid.finer {
      repeat {
        before = best
        best = self.best(of: DecisionGrid.neighbours(of: best, step), or: best, recordings)
      } while best != before
    }
    return self.best(of: DecisionGrid.lengths(of: best), or: best, recordings)
  }

  private func best(
    of candidates: [DecisionSettings], or start: DecisionSettings, _ recordings: [Int]
  ) -> DecisionSettings {
    learn([start] + candidates)
    var best = (settings: start, score: score(start, recordings))
    for settings in candidates {
      let score = score(settings, recordings)
      if best.score < score { best = (settings, score) }
    }
    return best.settings
  }

  private func score(_ settings: DecisionSettings, _ recordings: [Int]) -> TuningObjective.Score {
    let tallies = known[settings] ?? []
    return objective.score(recordings.map { tallies[$0] }.figures)
  }

  private func learn(_ settings: [DecisionSettings]) {
    let new = settings.filter { known[$0] == nil }
    guard !new.isEmpty else { return }
    for (settings, tallies) in zip(new, decide(new)) { known[settings] = tallies }
  }
}
