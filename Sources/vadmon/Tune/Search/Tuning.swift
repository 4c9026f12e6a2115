import SpeechScoring

/// The outcome of a search, and what it is worth on recordings that were held out.
struct Tuning {
  struct Fold {
    var settings: DecisionSettings
    /// The indices of the recordings that were held out.
    var heldOut: [Int]
  }

  var start: DecisionSettings
  /// The best settings for all recordings.
  var tuned: DecisionSettings
  var folds: [Fold]
  /// The recordings, each by the settings that were tuned without it, against those of the start.
  var section: Comparison.Section
  var verdict: TuningVerdict
  /// How many settings were tried.
  var tried: Int

  /// The settings to use.
  var advised: DecisionSettings { verdict.isGain ? tuned : start }

  /// Tunes on `count` recordings, and validates with each fold held out.
  init(
    from start: DecisionSettings, _ objective: TuningObjective, recordings count: Int, folds: Int,
    _ bootstrap: Bootstrap, decide: @escaping DecisionSearch.Decide
  ) {
    let search = DecisionSearch(objective, decide: decide)
    self.start = start
    tuned = search.best(from: start, for: Array(0..<count))
    self.folds = TuningFolds.make(count, folds: folds, seed: bootstrap.seed).map { heldOut in
      let others = Array(0..<count).filter { !heldOut.contains($0) }
      return Fold(settings: search.best(from: start, for: others), heldOut: heldOut)
    }
    let before = search.tallies(start)
    var tallies = before
    for fold in self.folds {
      let decided = search.tallies(fold.settings)
      for index in fold.heldOut { tallies[index] = decided[index] }
    }
    section = Comparison.Section(
      name: "held out", tallies: tallies, against: before, bootstrap: bootstrap)
    verdict = TuningVerdict(section, objective)
    tried = search.tried
  }
}
