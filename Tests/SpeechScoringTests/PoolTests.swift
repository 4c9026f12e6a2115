import TestSupport
import Testing

@testable import SpeechScoring

@Suite struct PoolTests {
  private func cells(_ text: String) -> [Bool] { text.map { $0 == "#" } }

  private func part(_ labelled: String, _ detected: String, scores: [Double]? = nil) -> Pool.Part {
    Pool.Part(
      tally: DecisionTally(labelled: cells(labelled), detected: cells(detected), minGap: 20),
      ranking: scores.map { ScoreRanking(scores: $0, labelled: cells(labelled)) })
  }

  private func randomParts(_ count: Int, seed: UInt64) -> [Pool.Part] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { index in
      let text = { (share: Int) in
        String((0..<60).map { _ in Int.random(in: 0..<8, using: &generator) < share ? "#" : "." })
      }
      let scores = (0..<60).map { _ in Double(Int.random(in: 0..<20, using: &generator)) }
      return part(text(index % 3 == 0 ? 0 : 5), text(4), scores: scores)
    }
  }

  /// 4 of 6 labelled cells are found, 2 of 6 others are taken for speech; onsets are 10 and 0 ms late: p90 is 9 ms.
  @Test func figuresMatchAHandCalculation() {
    let pool = Pool([part("..###.", "...##."), part("..###.", "..##.#"), part("......", "#.....")])
    let figures = pool.figures
    let twoThirds = 4 / 6.0
    #expect(figures[.recall] == twoThirds)
    #expect(figures[.missRate] == 1 - twoThirds)
    #expect(figures[.precision] == twoThirds)
    #expect(figures[.f1] == twoThirds)
    let falseAlarmRate = 2 / 12.0
    #expect(figures[.falseAlarmRate] == falseAlarmRate)
    #expect(figures[.onsetP50] == 5)
    #expect(figures[.onsetP90] == 9)
    #expect(figures[.lostOnsetRate] == 0)
    #expect(figures[.foundPerLabelled] == 4 / 2.0)
    // One alarm of 10 ms, no episode, in 60 ms without labelled speech.
    #expect(figures[.alarmsPerHour].map { abs($0 - 60_000) < 1e-6 } == true)
    #expect(figures[.episodesPerHour] == 0)
    #expect(figures[.alarmTimeRate] == 1 / 6.0)
    #expect(figures[.auc] == nil && figures[.bestF1] == nil)
  }

  @Test func whatWouldDivideByZeroHasNoValue() {
    let silence = Pool([part("....", "....")]).figures
    #expect(
      Set(silence.keys) == [.falseAlarmRate, .alarmsPerHour, .episodesPerHour, .alarmTimeRate])
    let nothing = Pool([part("####", "....")]).figures
    #expect(Set(nothing.keys) == [.f1, .recall, .missRate, .foundPerLabelled])
    #expect(nothing[.f1] == 0)
    // With precision and recall 0, their harmonic mean is 0 too.
    #expect(Pool([part("##..", "..##")]).figures[.f1] == 0)
    #expect(Pool([part("", "")]).figures.isEmpty)
  }

  @Test func percentilesLieBetweenTwoValues() {
    #expect(Percentile(share: 0.5).of([]) == nil)
    #expect(Percentile(share: 0.9).of([7]) == 7)
    #expect(Percentile(share: 0.5).of([1, 2, 10]) == 2)
    #expect(Percentile(share: 0.9).of([0, 10, 20, 30]).map { abs($0 - 27) < 1e-12 } == true)
    #expect(Percentile(share: 0).of([3, 4]) == 3 && Percentile(share: 1).of([3, 4]) == 4)
    let weighted = [(value: 1.0, weight: 2.0), (value: 5, weight: 0), (value: 9, weight: 2)]
    #expect(Percentile(share: 0.5).of(weighted) == 5, "of 1, 1, 9, 9")
  }

  /// Each resample equals a pool of the drawn recordings.
  @Test func aWeightIsARepetition() {
    let parts = randomParts(7, seed: 5)
    var generator = SplitMix64(seed: 9)
    let weights = generator.draw(from: parts.count, lanes: 8)
    for (lane, figures) in Pool(parts).figures(weights: weights).enumerated() {
      let repeated = zip(parts, weights).flatMap { part, weight in
        Array(repeating: part, count: Int(weight[lane]))
      }
      let expected = Pool(repeated).figures
      #expect(Set(figures.keys) == Set(expected.keys))
      for (figure, value) in expected {
        #expect(figures[figure].map { abs($0 - value) < 1e-9 } == true, "\(figure)")
      }
    }
  }

  @Test func asManyRecordingsAreDrawnAsThereAre() {
    var generator = SplitMix64(seed: 1)
    for count in [1, 2, 13] {
      let sum = generator.draw(from: count, lanes: 3).reduce(Lanes.zero, +)
      let expected: [Double] = (0..<8).map { lane in lane < 3 ? Double(count) : 0 }
      #expect((0..<8).map { lane in sum[lane] } == expected)
    }
  }

  @Test(arguments: [0, 1, 7, 8, 9, 100])
  func thereAreAsManyResamplesAsRequested(resamples: Int) {
    let pool = Pool(randomParts(4, seed: 2))
    let all = Bootstrap(resamples: 100, seed: 3).figures(of: pool, recordings: 4)
    let some = Bootstrap(resamples: resamples, seed: 3).figures(of: pool, recordings: 4)
    #expect(some == Array(all.prefix(resamples)), "the draws do not depend on their number")
    #expect(Set(all.map { $0[.f1] }).count > 10)
    #expect(Bootstrap(resamples: 100, seed: 4).figures(of: pool, recordings: 4) != all)
  }

  /// SplitMix64's first numbers from the seed 0, as its authors' C program prints them.
  @Test func theRandomNumbersAreThePublishedOnes() {
    var generator = SplitMix64(seed: 0)
    let numbers = (0..<3).map { _ in generator.next() }
    #expect(numbers == [0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4, 0x06C4_5D18_8009_454F])
  }

  /// 100 recordings, 30 of them entirely wrong: the recall's standard error is √(0.3 · 0.7 / 100) = 0.0458.
  @Test func anIntervalIsAboutTwoStandardErrorsWide() throws {
    let parts = (0..<100).map { part("##..", $0 < 30 ? "...." : "##..") }
    let pool = Pool(parts)
    let estimate = Estimate(
      values: pool.figures, resampled: Bootstrap().figures(of: pool, recordings: 100))
    let interval = try #require(estimate.intervals[.recall])
    #expect(abs(interval.lowerBound - (0.7 - 1.96 * 0.0458)) < 0.02)
    #expect(abs(interval.upperBound - (0.7 + 1.96 * 0.0458)) < 0.02)
  }

  /// One of six recordings has hits: a third of the resamples do not draw it, since (5/6)^6 = 0.335.
  @Test func resamplesWithoutAHitCount() throws {
    let parts = (0..<6).map { part("##..", $0 == 0 ? "##.." : "....") }
    let pool = Pool(parts)
    let estimate = Estimate(
      values: pool.figures, resampled: Bootstrap().figures(of: pool, recordings: 6))
    for figure in [Figure.f1, .recall] {
      #expect(estimate.intervals[figure]?.lowerBound == 0, "\(figure)")
    }
  }
}
