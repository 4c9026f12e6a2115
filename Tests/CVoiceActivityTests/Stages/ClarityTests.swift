import CVoiceActivity
import CVoiceActivityInternals
import RealModule
import TestSupport
import Testing

@Suite struct ClarityTests {
  /// A frame of a level in dB for each of the groups of bands from the ninth band on, relative to the loudness and to the
  /// floor. The bands within a group differ; their mean does not.
  static func frame(_ relative: [Double], overFloor: [Double]) -> [Int16] {
    func features(_ groups: [Double], centre: Double, span: Double) -> [Int16] {
      let bands =
        [Double](repeating: 0, count: 8) + groups.flatMap { [Double](repeating: $0, count: 8) }
      return bands.enumerated().map { band, level in
        Int16((level - centre + (band % 2 == 0 ? 3 : -3)) / span * 8192)
      }
    }
    return features(relative, centre: -25, span: 20) + features(overFloor, centre: 8, span: 12)
  }

  static func measure(
    _ before: [Int16], _ between: [Int16], _ now: [Int16], next: Int, pitched: Bool
  ) -> va_falls {
    var network = va_network()
    network.next = UInt32(next)
    withUnsafeMutableBytes(of: &network.frames) { frames in
      let oldest = (next == 0 ? before + between : between + before)
      oldest.withUnsafeBytes { frames.copyBytes(from: $0) }
    }
    var clarity = va_clarity()
    va_clarity_init(&clarity)
    va_clarity_pass(&clarity, pitched ? 0.6 : 0.5)
    va_clarity_pass(&clarity, pitched ? 0 : 1)
    return va_clarity_measure(&clarity, &network, now)
  }

  @Test(arguments: 0..<2)
  func fallsAreCountedByTheirDefinition(next: Int) {
    var generator = SeededGenerator(seed: 12)
    var seen: Set<[Float]> = []
    for _ in 0..<400 {
      func random(_ range: ClosedRange<Double>) -> [Double] {
        (0..<4).map { _ in Double.random(in: range, using: &generator) }
      }
      let (before, overFloor, now) = (random(-20...10), random(5...20), random(-40...10))
      // Not where rounding decides.
      let isClear = zip(before, now).allSatisfy { abs($0 - $1 - 10) > 0.01 }
      guard isClear, overFloor.allSatisfy({ abs($0 - 12) > 0.01 }) else { continue }
      let pitched = Int.random(in: 0..<4, using: &generator) > 0
      let groups = (0..<4).filter { overFloor[$0] > 12 }
      let result = Self.measure(
        Self.frame(before, overFloor: overFloor),
        Self.frame(random(-40...10), overFloor: random(5...20)),
        Self.frame(now, overFloor: random(5...20)), next: next, pitched: pitched)
      #expect(Int(result.levels) == groups.count)
      #expect(Int(result.falls) == (pitched ? groups.count { before[$0] - now[$0] > 10 } : 0))
      seen.insert([result.levels, result.falls])
    }
    #expect(seen.count >= 14, "of 15")
  }

  @Test func theRateOfTheOwnVoiceIsLearned() {
    var generator = SeededGenerator(seed: 3)
    var clarity = va_clarity()
    va_clarity_init(&clarity)
    var own = 0.03
    for rate in [0.03, 0.3, 0.015, 0.001] {
      for _ in 0..<6000 {
        let levels = Float(Int.random(in: 0...4, using: &generator))
        let falls = Float(
          (0..<Int(levels)).count { _ in Double.random(in: 0...1, using: &generator) < rate })
        va_clarity_learn(&clarity, va_falls(levels: levels, falls: falls))
        own = min(max(own + (Double(falls) - own * Double(levels)) / 1500, 0.006), 0.04)
      }
      #expect(abs(Double(clarity.own) - own) < 1e-4)
      #expect(abs(own - min(max(rate, 0.006), 0.04)) < 0.03)
    }
  }

  /// A Poisson variable's likelihood with the mean m is e^-m m^n / n!.
  @Test(arguments: [0.006, 0.01, 0.025, 0.04])
  func theEvidenceIsARatioOfLikelihoods(own: Double) {
    func likelihood(_ count: Int, mean: Double) -> Double {
      Double.exp(-mean) * Double.pow(mean, Double(count))
        / (1...max(count, 1)).reduce(1) { $0 * Double($1) }
    }
    var clarity = va_clarity(own: Float(own), voiced: 0, db: 0)
    var expected = 0.0
    let ratio = Double.log(own / 0.006)
    var generator = SeededGenerator(seed: 8)
    for step in 0..<3000 {
      let levels = Int.random(in: 1...4, using: &generator)
      let isClear = step % 1000 < 500
      let falls = (0..<levels).count { _ in
        Double.random(in: 0...1, using: &generator) < (isClear ? own : 0)
      }
      va_clarity_judge(&clarity, va_falls(levels: Float(levels), falls: Float(falls)))
      let mean = (own: own * Double(levels), far: 0.006 * Double(levels))
      expected +=
        Double.log(likelihood(falls, mean: mean.own) / likelihood(falls, mean: mean.far))
      expected = min(max(expected, -1.2 * ratio * ratio), 10)
      #expect(abs(Double(clarity.db) - expected) < 1e-3, "step \(step)")
    }
    #expect(Double(VA_CLARITY_MIN_DB) <= -1.2 * ratio * ratio)
  }
}
