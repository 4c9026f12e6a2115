import TestSupport
import Testing

@testable import SpeechScoring

@Suite struct ReliabilityTests {
  private func reliability(_ scores: [Double], speech: [Bool]) -> Reliability? {
    ScoreRanking(scores: scores, labelled: speech).reliability
  }

  /// 0.1 and 0.15 (one speech), 1 and 0.95 (both speech): the gaps are |0.25 - 1| and |1.95 - 2|, over 4 cells.
  @Test func aCaseMatchesAHandCalculation() throws {
    let found = try #require(
      reliability([0.1, 0.15, 1, 0.95], speech: [true, false, true, true]))
    #expect(found.tenths.map(\.cells) == [0, 2, 0, 0, 0, 0, 0, 0, 0, 2])
    #expect(found.tenths[1].shareOfSpeech == 0.5 && found.tenths[9].shareOfSpeech == 1)
    #expect(abs(try #require(found.tenths[1].meanScore) - 0.125) < 1e-12)
    #expect(found.tenths[0].meanScore == nil && found.tenths[0].shareOfSpeech == nil)
    #expect(abs(found.error - (0.75 + 0.05) / 4) < 1e-12)
  }

  /// Labels are drawn with the score as their probability, so the error is random variation only.
  @Test func calibratedScoresHaveHardlyAnyError() throws {
    var generator = SeededGenerator(seed: 4)
    let scores = (0..<100_000).map { _ in Double.random(in: 0...1, using: &generator) }
    let speech = scores.map { Double.random(in: 0..<1, using: &generator) < $0 }
    #expect(try #require(reliability(scores, speech: speech)).error < 0.01)
    let bold = scores.map { $0 > 0.5 ? 1.0 : 0 }
    #expect(abs(try #require(reliability(bold, speech: speech)).error - 0.25) < 0.01)
  }

  @Test func scoresThatAreNoProbabilitiesHaveNoReliability() {
    #expect(reliability([0.5, 1.5], speech: [true, false]) == nil)
    #expect(reliability([-0.1], speech: [true]) == nil)
    #expect(reliability([], speech: [])?.error == 0)
  }

  @Test func recordingsTogetherCountAsOne() throws {
    let parts = [[0.2, 0.3], [0.3, 0.9]].map { ScoreRanking(scores: $0, labelled: [false, true]) }
    let merged = try #require(ScoreRanking(merging: parts).reliability)
    #expect(merged == reliability([0.2, 0.3, 0.3, 0.9], speech: [false, true, false, true]))
  }
}
