import Testing

@testable import SpeechScoring

@Suite struct TuningObjectiveTests {
  @Test func figuresAreRankedByTheObjective() {
    let low: Figures = [.f1: 0.8, .recall: 0.7, .falseAlarmRate: 0.01, .onsetP50: 60]
    let high: Figures = [.f1: 0.9, .recall: 0.95, .falseAlarmRate: 0.05, .onsetP50: 120]
    #expect(TuningObjective.f1.score(low) < TuningObjective.f1.score(high))
    for (objective, isStrict) in [
      (TuningObjective.falseAlarmRate(0.02), true), (.falseAlarmRate(0.05), false),
      (.onsetLatency(100), true), (.onsetLatency(120), false),
    ] {
      #expect((objective.score(high) < objective.score(low)) == isStrict, "\(objective)")
      #expect(objective.keepsBound(high) != isStrict && objective.keepsBound(low))
    }
    // Above the limit, nearer is better, whatever it finds.
    let strict = TuningObjective.falseAlarmRate(0.001)
    #expect(strict.score(high) < strict.score(low))
  }

  @Test func roundingIsNoDifference() {
    let (left, right) = (
      TuningObjective.f1.score([.f1: 0.3]), TuningObjective.f1.score([.f1: 0.1 + 0.2])
    )
    #expect(!(left < right) && !(right < left))
    let none = TuningObjective.f1.score([:])
    #expect(none < left && !(left < none))
  }
}

@Suite struct TuningFoldsTests {
  @Test(arguments: [(2, 2), (5, 5), (7, 3), (40, 5), (41, 5)])
  func eachRecordingIsHeldOutOnce(row: (count: Int, folds: Int)) {
    let folds = TuningFolds.make(row.count, folds: row.folds, seed: 3)
    #expect(folds.count == row.folds)
    #expect(folds.flatMap { $0 }.sorted() == Array(0..<row.count))
    let sizes = folds.map(\.count)
    #expect((sizes.max() ?? 0) - (sizes.min() ?? 0) <= 1 && !sizes.contains(0))
  }

  @Test func theSeedDecides() {
    let make = { (seed: UInt64) in TuningFolds.make(40, folds: 5, seed: seed) }
    #expect(make(1) == make(1) && make(1) != make(2))
  }
}

@Suite struct TuningVerdictTests {
  /// A recording of 100 labelled cells, `hits` of them found, and 100 others, `alarms` of them taken for speech.
  private func tally(hits: Int, alarms: Int) -> DecisionTally {
    let detected = { (count: Int) in (0..<100).map { $0 < count } }
    return DecisionTally(
      labelled: (0..<200).map { $0 < 100 }, detected: detected(hits) + detected(alarms), minGap: 0)
  }

  private func verdict(
    _ tuned: [(hits: Int, alarms: Int)], _ before: [(hits: Int, alarms: Int)],
    _ objective: TuningObjective
  ) -> TuningVerdict {
    TuningVerdict(
      Comparison.Section(
        name: "", tallies: tuned.map { tally(hits: $0.hits, alarms: $0.alarms) },
        against: before.map { tally(hits: $0.hits, alarms: $0.alarms) }, bootstrap: Bootstrap()),
      objective)
  }

  @Test func aGainEverywhereIsSignificant() {
    let before = (0..<8).map { (hits: 60 + $0, alarms: 5) }
    let gain = verdict(before.map { ($0.hits + 20, $0.alarms) }, before, .f1)
    #expect(gain.isGain && (gain.difference ?? 0) > 0)
    let loss = verdict(before, before.map { ($0.hits + 20, $0.alarms) }, .f1)
    #expect(!loss.isGain && (loss.difference ?? 0) < 0)
    #expect(!verdict(before, before, .f1).isGain)
  }

  @Test func aGainInOneRecordingIsNot() {
    let before = (0..<8).map { _ in (hits: 60, alarms: 5) }
    var after = before
    after[0].hits = 100
    let verdict = verdict(after, before, .f1)
    #expect((verdict.difference ?? 0) > 0 && verdict.interval?.lowerBound == 0 && !verdict.isGain)
  }

  @Test func theBoundComesFirst() {
    let before = (0..<8).map { _ in (hits: 60, alarms: 5) }
    let objective = TuningObjective.falseAlarmRate(0.06)
    let within = verdict(before.map { ($0.hits + 10, 6) }, before, objective)
    #expect(within.isGain && within.figure == .recall && within.keptBound == (true, true))
    let broken = verdict(before.map { ($0.hits + 10, 7) }, before, objective)
    #expect(!broken.isGain && broken.keptBound == (true, false))
    let repaired = verdict(before.map { ($0.hits - 10, 6) }, before.map { ($0.hits, 9) }, objective)
    #expect(repaired.isGain && repaired.figure == .falseAlarmRate)
    let approached = verdict(before.map { ($0.hits, 8) }, before.map { ($0.hits, 9) }, objective)
    #expect(approached.isGain && approached.keptBound == (false, false))
    let missed = verdict(before.map { ($0.hits + 9, 9) }, before.map { ($0.hits, 9) }, objective)
    #expect(!missed.isGain)
  }
}
