import TestSupport
import Testing

@testable import Speakers

/// A naive form of the rule in docs/dominant-speaker.md, in Double and from the whole history: a challenger's claim is
/// the largest sum of evidence over any stretch that ends now.
private struct NaiveDuel {
  var holder: [Double] = []
  var challenger: [Double] = []

  private func hold(at step: Int) -> Double {
    (0...step).map { holder[$0] - Double(step - $0) * 20 / 800 }.max().map { max($0, 0) } ?? 0
  }

  /// Returns the loudness of a participant whose speech, activity of 0.5 or more, was always at `level` dBov.
  private func loudness(_ activity: [Double], level: Double, at step: Int) -> Double {
    let spoken = (0...step).filter { activity[$0] >= 0.5 }
    return spoken.map { (place: Int) -> Double in level - 0.14 * Double(step - place + 1) }.max()
      ?? -127
  }

  private func evidence(at step: Int, from start: Int, levels: (Double, Double)) -> Double {
    let held = hold(at: step)
    let lead =
      loudness(challenger, level: levels.1, at: step) - loudness(holder, level: levels.0, at: step)
    let disputed = 0.16 * min(max(1 + lead / 20, -1), 2.5)
    let speech = challenger[step]
    return 20
      * (speech * (1 - held + held * disputed) - (1 - speech) * (0.2 * (1 - held) + 0.6 * held))
  }

  /// Returns the first step after `start` at which the largest sum reaches 300 ms.
  func takeover(after start: Int, levels: (Double, Double)) -> Int? {
    let evidence = holder.indices.map { self.evidence(at: $0, from: start, levels: levels) }
    return holder.indices.dropFirst(start + 1).first { end in
      (start + 1...end).contains { evidence[$0...end].reduce(0, +) >= 300 }
    }
  }
}

/// The detector, compared with its definition.
@Suite struct DominantSpeakerOracleTests {
  /// The tolerance is one step of rounding.
  @Test(
    arguments: 0..<40 as Range<UInt64>)
  func aDuelEndsWhenTheNaiveRuleSays(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let levels = (
      Double(Int.random(in: -40 ... -20, using: &random)),
      Double(Int.random(in: -40 ... -20, using: &random))
    )
    var talks = (true, false)
    var naive = NaiveDuel()
    var detector = DominantSpeakerDetector<Int>()
    detector.join(0)
    detector.join(1)
    var start: Int?
    var found: Int?
    for step in 0..<300 {
      if step > 30, Int.random(in: 0..<20, using: &random) == 0 { talks.0.toggle() }
      if step > 30, Int.random(in: 0..<20, using: &random) == 0 { talks.1.toggle() }
      naive.holder.append(talks.0 ? 1 : 0)
      naive.challenger.append(talks.1 ? 1 : 0)
      let now = Int64(step) * 20
      detector.observe(.init(level: Float(levels.0), posterior: talks.0 ? 1 : 0), from: 0, at: now)
      detector.observe(.init(level: Float(levels.1), posterior: talks.1 ? 1 : 0), from: 1, at: now)
      detector.advance(to: now)
      if start == nil, detector.dominant == 0 { start = step }
      if found == nil, detector.dominant == 1 { found = step }
    }
    let expected = naive.takeover(after: try #require(start), levels: levels)
    #expect((found == nil) == (expected == nil))
    if let found, let expected { #expect(abs(found - expected) <= 1) }
  }
}
