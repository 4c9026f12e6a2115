import CVoiceActivity
import CVoiceActivityInternals
import RealModule
import TestSupport
import Testing

@Suite struct ClarityTests {
  /// A frame of a level in dB for each of the groups of bands from the ninth band on, relative to the loudness and to
  /// the floor. The bands within a group differ; their mean does not.
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

  /// A naive counter of levels and falls, of whole sequences of steps.
  struct Step {
    var relative, overFloor: [Double]

    static func random(_ generator: inout SeededGenerator) -> Step {
      func levels(_ range: ClosedRange<Double>) -> [Double] {
        (0..<4).map { _ in Double.random(in: range, using: &generator) }
      }
      return Step(relative: levels(-12...12), overFloor: levels(8...16))
    }

    /// Whether rounding decides whether this rises or falls since `before`, or is high enough.
    func isUnclear(since before: Step) -> Bool {
      (0..<4).contains {
        abs(before.relative[$0] - relative[$0] - 10) < 0.01 || abs(overFloor[$0] - 12) < 0.01
          || abs(overFloor[$0] - before.overFloor[$0] - 4) < 0.01
      }
    }
  }

  /// A group of 8 bands counts only if all of them are usable; at 12 kHz, those of the last group are not.
  @Test(arguments: [40, 37, 32])
  func fallsAreCountedByTheirDefinition(usable: Int32) {
    let groups = 0..<Int(usable / 8 - 1)
    var generator = SeededGenerator(seed: 12)
    var steps = [Step.random(&generator), Step.random(&generator)]
    while steps.count < 2000 {
      let step = Step.random(&generator)
      if !step.isUnclear(since: steps[steps.count - 2]) { steps.append(step) }
    }
    func rose(_ step: Int, _ group: Int) -> Bool {
      step < 2 || steps[step].overFloor[group] - steps[step - 2].overFloor[group] > 4
    }
    var network = va_network()
    var rises = va_rises(VA_RISES_MOST)
    var seen: Set<[Float]> = []
    for (at, step) in steps.enumerated() {
      let frame = Self.frame(step.relative, overFloor: step.overFloor)
      if at >= 2 {
        let before = steps[at - 2]
        let high = groups.filter { before.overFloor[$0] > 12 }
        let fallen = high.filter { group in
          before.relative[group] - step.relative[group] > 10
            && !rose(at - 2, group) && (at < 3 || !rose(at - 3, group))
        }
        let result = va_clarity_measure(&rises, &network, frame, usable)
        #expect(Int(result.levels) == high.count && Int(result.falls) == fallen.count, "step \(at)")
        seen.insert([result.levels, result.falls])
      }
      withUnsafeMutableBytes(of: &network.frames) { frames in
        let half = frames.count / 2
        let oldest = UnsafeMutableRawBufferPointer(rebasing: frames[(half * (at % 2))...])
        frame.withUnsafeBytes {
          oldest.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<half]))
        }
      }
      network.next = UInt32((at + 1) % 2)
    }
    let pairs = (groups.count + 1) * (groups.count + 2) / 2  // 15 of 4 groups
    #expect(seen.count >= 2 * pairs / 3)
  }

  @Test func theRateOfTheOwnVoiceIsLearned() {
    var generator = SeededGenerator(seed: 3)
    var clarity = va_clarity()
    va_clarity_init(&clarity)
    var own = 0.045
    for rate in [0.03, 0.3, 0.02, 0.001] {
      for _ in 0..<6000 {
        let levels = Float(Int.random(in: 0...4, using: &generator))
        let falls = Float(
          (0..<Int(levels)).count { _ in Double.random(in: 0...1, using: &generator) < rate })
        va_clarity_learn(&clarity, va_falls(levels: levels, falls: falls))
        own = min(max(own + (Double(falls) - own * Double(levels)) / 1500, 0.010), 0.055)
      }
      #expect(abs(Double(clarity.own) / 1_048_576 - own) < 2e-4)
      #expect(abs(own - min(max(rate, 0.010), 0.055)) < 0.03)
    }
  }

  /// A Poisson variable's likelihood with the mean m is e^-m m^n / n!.
  @Test(arguments: [0.0101, 0.02, 0.045, 0.055])
  func theEvidenceIsARatioOfLikelihoods(own: Double) {
    func likelihood(_ count: Int, mean: Double) -> Double {
      Double.exp(-mean) * Double.pow(mean, Double(count))
        / (1...max(count, 1)).reduce(1) { $0 * Double($1) }
    }
    var clarity = va_clarity(own: UInt16(own * 1_048_576), evidence: 0)
    let own = Double(clarity.own) / 1_048_576
    var expected = 0.0
    let ratio = Double.log(own / 0.010)
    var generator = SeededGenerator(seed: 8)
    for step in 0..<3000 {
      let levels = Int.random(in: 1...4, using: &generator)
      let isClear = step % 1000 < 500
      let falls = (0..<levels).count { _ in
        Double.random(in: 0...1, using: &generator) < (isClear ? own : 0)
      }
      va_clarity_judge(&clarity, va_falls(levels: Float(levels), falls: Float(falls)))
      let mean = (own: own * Double(levels), far: 0.010 * Double(levels))
      expected +=
        Double.log(likelihood(falls, mean: mean.own) / likelihood(falls, mean: mean.far))
      expected = (min(max(expected, -2 * ratio * ratio), 6) * 1024).rounded() / 1024
      #expect(abs(Double(clarity.evidence) / 1024 - expected) < 0.01, "step \(step)")
      let power = Double.pow(10, Double(clarity.evidence) / 10240)
      #expect(abs(Double(va_clarity_gain(&clarity)) / power - 1) < 1e-3)
    }
    #expect(Double(VA_CLARITY_MIN) / 1024 <= -2 * ratio * ratio)
  }
}
