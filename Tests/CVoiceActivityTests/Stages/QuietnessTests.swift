import CVoiceActivity
import CVoiceActivityInternals
import RealModule
import TestSupport
import Testing

@Suite struct QuietnessTests {
  /// The definition: a ramp on the loudest of the last 32 steps.
  static func naive(_ levels: ArraySlice<Double>) -> Double {
    min(max((levels.suffix(32).max()! + 68) / 8, 0), 1)
  }

  @Test func theLoudestStepOfTheLastHalfSecondCounts() {
    var generator = SeededGenerator(seed: 4)
    var quietness = va_quietness()
    var levels = [Double](repeating: -127, count: 32)
    for step in 0..<2000 as Range<UInt64> {
      levels.append(Double.random(in: -90 ... -50, using: &generator) - (step % 100 < 60 ? 40 : 0))
      va_quietness_update(&quietness, step, Float(Double.pow(10, levels.last! / 10)))
      let weight = Double(va_quietness_weight(&quietness))
      #expect(abs(weight - Self.naive(levels[...])) < 0.003, "step \(step)")
    }
  }

  @Test func nothingIsHeardBeforeTheStream() {
    var quietness = va_quietness()
    #expect(va_quietness_weight(&quietness) == 0)
    va_quietness_update(&quietness, 0, 0)
    #expect(va_quietness_weight(&quietness) == 0)
    va_quietness_update(&quietness, 1, 16)
    #expect(va_quietness_weight(&quietness) == 1)
  }

  /// Speech 20 dB below the ramp leaves the detector silent; the same speech 15 dB above it does not.
  @Test func speechThatNobodyWouldHearIsNoSpeech() {
    let speech = synthesizedSpeech(seconds: 3, phrases: [0.5...2.5])
    let loudest = stride(from: 0, to: speech.count, by: 160).map {
      meanSquare(speech[$0..<$0 + 160])
    }.max()!
    func segments(at level: Double) -> Int {
      let gain = Float(Double.pow(10, (level - decibels(loudest)) / 20))
      return analyze(speech.map { $0 * gain }).segments.count
    }
    #expect(segments(at: -88) == 0)
    #expect(segments(at: -45) > 0)
  }
}
