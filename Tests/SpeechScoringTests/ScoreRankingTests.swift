import TestSupport
import Testing

@testable import SpeechScoring

/// AUC, AP, EER and best F1, compared with their definitions, computed without sorting.
@Suite struct ScoreRankingTests {
  private struct Cell {
    var score: Double
    var isSpeech: Bool
  }

  private func curve(_ cells: [Cell]) -> ScoreCurve {
    let ranking = ScoreRanking(scores: cells.map(\.score), labelled: cells.map(\.isSpeech))
    let speech = Double(cells.count { $0.isSpeech })
    return ranking.curve(
      weights: [Lanes(repeating: 1)], speech: Lanes(repeating: speech),
      rest: Lanes(repeating: Double(cells.count) - speech))
  }

  private func cells(_ speech: [Double], _ rest: [Double]) -> [Cell] {
    speech.map { Cell(score: $0, isSpeech: true) } + rest.map { Cell(score: $0, isSpeech: false) }
  }

  /// Speech 0.9 0.6 0.6 0.2, the rest 0.6 0.1 0.1. Pairs won: 3 + (½ + 2) + (½ + 2) + 2 = 10 of 12. Going down: (1 of
  /// 1), (3 of 4), (4 of 5): AP = ¼·1 + ½·¾ + ¼·⅘ = 0.825; F1 = 2·1/5, 2·3/8, 2·4/9, 2·4/11. False alarm rate minus
  /// miss rate: 0 - ¾, ⅓ - ¼ = 1/12: it is zero 9/10 of the way, at 0.9 · ⅓ = 0.3.
  @Test func aCaseMatchesAHandCalculation() {
    let curve = curve(cells([0.9, 0.6, 0.6, 0.2], [0.6, 0.1, 0.1]))
    #expect(abs(curve.areaUnderCurve[0] - 10 / 12.0) < 1e-12)
    #expect(abs(curve.averagePrecision[0] - 0.825) < 1e-12)
    #expect(abs(curve.equalErrorRate[0] - 0.3) < 1e-12)
    #expect(abs(curve.bestF1[0] - 8 / 9.0) < 1e-12)
    #expect(curve.bestThreshold[0] == 0.2)
  }

  @Test func extremeScoresHaveKnownFigures() {
    let perfect = curve(cells([3, 2], [1, 0]))
    #expect(perfect.areaUnderCurve[0] == 1 && perfect.averagePrecision[0] == 1)
    #expect(perfect.equalErrorRate[0] == 0 && perfect.bestF1[0] == 1)
    let reversed = curve(cells([0, 0], [1, 2]))
    #expect(reversed.areaUnderCurve[0] == 0 && reversed.equalErrorRate[0] == 1)
    let constant = curve(cells([0.5], [0.5, 0.5, 0.5]))
    #expect(constant.areaUnderCurve[0] == 0.5 && constant.equalErrorRate[0] == 0.5)
    #expect(constant.averagePrecision[0] == 0.25)
  }

  @Test func oneClassAloneHasNoValue() {
    #expect(!curve(cells([], [1, 2])).isDefined(lane: 0))
    #expect(!curve(cells([1, 2], [])).isDefined(lane: 0))
    #expect(!curve([]).isDefined(lane: 0))
    #expect(curve(cells([1], [2])).isDefined(lane: 0))
  }

  /// Of two thresholds with the same F1, the higher is reported: 2·1/(1+2) = 2·2/(4+2).
  @Test func theHighestOfEquallyGoodThresholdsIsReported() {
    let curve = curve(cells([0.9, 0.2], [0.5, 0.5, 0.1]))
    #expect(abs(curve.bestF1[0] - 2 / 3.0) < 1e-12)
    #expect(curve.bestThreshold[0] == 0.9)
  }

  /// Scores with few distinct values have many ties; with many values, few.
  @Test(arguments: [2, 5, 30, 100_000])
  func randomScoresAgreeWithTheDefinitions(values: Int) {
    var generator = SeededGenerator(seed: UInt64(values))
    for _ in 0..<20 {
      let cells = (0..<Int.random(in: 2...120, using: &generator)).map { index in
        Cell(
          score: Double(Int.random(in: 0..<values, using: &generator)) - Double(values) / 3,
          isSpeech: index == 0 || (index > 1 && Bool.random(using: &generator)))
      }
      let curve = curve(cells)
      #expect(abs(curve.areaUnderCurve[0] - naiveArea(cells)) < 1e-12)
      #expect(abs(curve.averagePrecision[0] - naivePrecision(cells)) < 1e-12)
      #expect(abs(curve.equalErrorRate[0] - naiveEqualErrorRate(cells)) < 1e-12)
      let (f1, threshold) = naiveBestF1(cells)
      #expect(abs(curve.bestF1[0] - f1) < 1e-12)
      #expect(curve.bestThreshold[0] == threshold)
    }
  }

  /// Compares recordings with different weights in each lane with the same cells, repeated accordingly.
  @Test func weightsAreRepetitions() {
    var generator = SeededGenerator(seed: 11)
    let recordings = (0..<5).map { _ in
      (0..<40).map { _ in
        Cell(
          score: Double(Int.random(in: 0..<25, using: &generator)),
          isSpeech: Bool.random(using: &generator))
      }
    }
    let ranking = ScoreRanking(
      merging: recordings.map {
        ScoreRanking(scores: $0.map(\.score), labelled: $0.map(\.isSpeech))
      })
    let weights = recordings.indices.map { _ in
      Lanes((0..<8).map { _ in Double(Int.random(in: 0...3, using: &generator)) })
    }
    let count = { (isSpeech: Bool) in
      zip(recordings, weights).reduce(Lanes.zero) { sum, pair in
        sum + pair.1 * Double(pair.0.count { $0.isSpeech == isSpeech })
      }
    }
    let curve = ranking.curve(weights: weights, speech: count(true), rest: count(false))
    for lane in 0..<8 {
      let repeated = zip(recordings, weights).flatMap { cells, weight in
        (0..<Int(weight[lane])).flatMap { _ in cells }
      }
      #expect(abs(curve.areaUnderCurve[lane] - naiveArea(repeated)) < 1e-12)
      #expect(abs(curve.averagePrecision[lane] - naivePrecision(repeated)) < 1e-12)
      #expect(abs(curve.equalErrorRate[lane] - naiveEqualErrorRate(repeated)) < 1e-12)
      #expect(abs(curve.bestF1[lane] - naiveBestF1(repeated).0) < 1e-12)
    }
  }
}

// MARK: the definitions

extension ScoreRankingTests {
  /// Returns the share of pairs in which speech has the higher score, counting half a pair for equal scores
  /// (Mann-Whitney).
  private func naiveArea(_ cells: [Cell]) -> Double {
    var won = 0.0
    var pairs = 0.0
    for speech in cells where speech.isSpeech {
      for other in cells where !other.isSpeech {
        won += speech.score > other.score ? 1 : speech.score == other.score ? 0.5 : 0
        pairs += 1
      }
    }
    return won / pairs
  }

  private func thresholds(_ cells: [Cell]) -> [Double] { Set(cells.map(\.score)).sorted(by: >) }

  private func rates(_ cells: [Cell], _ threshold: Double) -> (hits: Double, alarms: Double) {
    (
      Double(cells.count { $0.isSpeech && $0.score >= threshold }),
      Double(cells.count { !$0.isSpeech && $0.score >= threshold })
    )
  }

  private func naivePrecision(_ cells: [Cell]) -> Double {
    let speech = Double(cells.count { $0.isSpeech })
    var recall = 0.0
    return thresholds(cells).reduce(0) { sum, threshold in
      let (hits, alarms) = rates(cells, threshold)
      defer { recall = hits / speech }
      return sum + (hits / speech - recall) * hits / (hits + alarms)
    }
  }

  /// Finds the crossing of the polygon with the diagonal, by bisection along the polygon.
  private func naiveEqualErrorRate(_ cells: [Cell]) -> Double {
    let speech = Double(cells.count { $0.isSpeech })
    let rest = Double(cells.count) - speech
    let points =
      [(0.0, 1.0)]
      + thresholds(cells).map { threshold in
        let (hits, alarms) = rates(cells, threshold)
        return (alarms / rest, 1 - hits / speech)
      }
    var (low, high) = (0.0, Double(points.count - 1))
    let point = { (place: Double) in
      let index = min(Int(place), points.count - 2)
      let (a, b, part) = (points[index], points[index + 1], place - Double(index))
      return (a.0 + part * (b.0 - a.0), a.1 + part * (b.1 - a.1))
    }
    for _ in 0..<100 {
      let middle = (low + high) / 2
      if point(middle).0 < point(middle).1 { low = middle } else { high = middle }
    }
    return point(high).0
  }

  private func naiveBestF1(_ cells: [Cell]) -> (Double, Double) {
    let speech = Double(cells.count { $0.isSpeech })
    var best = (-1.0, 0.0)
    for threshold in thresholds(cells) {
      let (hits, alarms) = rates(cells, threshold)
      let f1 = 2 * hits / (hits + alarms + speech)
      if f1 > best.0 { best = (f1, threshold) }
    }
    return best
  }
}
