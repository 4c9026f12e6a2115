import CVoiceActivity
import CVoiceActivityInternals
import RealModule
import TestSupport
import Testing

@Suite struct LevelTests {
  @Test func logarithmAndPowerAgreeWithTheLibrary() {
    for step in -1260...1260 {
      let x = Double(step) / 10
      let power = Double(va_exp2(Float(x)))
      #expect(abs(power / Double.exp2(Double(Float(x))) - 1) < 2e-6, "2^\(x)")
      #expect(abs(Double(va_log2(Float(power))) - Double.log2(Double(Float(power)))) < 2e-5)
    }
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<10_000 {
      let x = Float.random(in: 0.4...2.5, using: &generator)
      #expect(abs(Double(va_log2(x)) - Double.log2(Double(x))) < 2e-6)
    }
  }

  @Test func logarithmIsDefinedEverywhere() {
    #expect(va_log2(0) == -126)
    #expect(va_log2(-1) == -126)
    #expect(va_log2(.leastNonzeroMagnitude) == -126)
    #expect(va_exp2(1000) == va_exp2(126) && va_exp2(-1000) == va_exp2(-126))
  }

  @Test func powersOfDecibels() {
    for db in [-127, -40, -15, -0.5, 0, 12, 60] as [Float] {
      #expect(abs(decibels(Double(va_power_of_db(db))) - Double(db)) < 1e-4)
    }
  }

  /// 0 dBFS is the RMS of a full-scale square wave, so a full-scale sine has -3.01.
  @Test func decibelsOfPower() {
    #expect(va_power_db(1) == 0)
    #expect(abs(va_power_db(0.5) + 3.0103) < 1e-4)
    #expect(abs(va_power_db(16) - 12.0412) < 1e-4)
    #expect(va_power_db(0) == -127 && va_power_db(1e-13) == -127)
  }

  /// RFC 6464 §3: -127 … 0 dBov as 127 … 0; digital silence is 127.
  @Test(arguments: [
    (0, 0), (-0.4, 0), (-0.6, 1), (-35, 35), (-126.4, 126), (-127, 127), (-300, 127), (5, 0),
  ])
  func overloadScale(level: Double, expected: Int) {
    #expect(va_dbov(Float(level)) == UInt8(expected))
  }

  @Test func uncleanSamplesAreDefined() {
    let limit = Float(VA_SAMPLE_LIMIT)
    let dirty: [Float] = [
      0, -0.0, 0.5, -1, 1, 3.9, 4, -4, 5, -1e30, .nan, .infinity, -.infinity, .signalingNaN,
      .leastNonzeroMagnitude, Float(VA_SAMPLE_LEAST), -Float(VA_SAMPLE_LEAST).nextDown,
      .greatestFiniteMagnitude,
    ]
    var clean = [Float](repeating: .nan, count: dirty.count)
    let counts = va_sanitize(dirty, dirty.count, &clean)
    #expect(
      clean == [
        0, 0, 0.5, -1, 1, 3.9, limit, -limit, limit, -limit, 0, 0, 0, 0, 0, Float(VA_SAMPLE_LEAST),
        0, limit,
      ])
    #expect(counts.non_finite == 4)
    #expect(counts.clipped == 8)  // ±1, 3.9, ±4, 5, -1e30, the greatest
  }

  /// Blocks of every length, so that whole vectors and single samples meet every value.
  @Test(arguments: Body.available)
  func sixteenBitSamplesAreThirtyTwoThousandths(of body: Body) {
    let values: [Int16] = [0, 1, -1, 16384, .max, .min, -32767, 5]
    for count in 0...41 {
      let samples = (0..<count).map { values[$0 * 5 % values.count] }
      var floats = [Float](repeating: .nan, count: count)
      let clipped = body.kernels.pointee.from_16_bits(samples, count, &floats)
      #expect(floats == samples.map { Float($0) / 32768 })
      #expect(Int(clipped) == samples.count { $0 == .min })
    }
  }

  @Test(arguments: Body.available)
  func decimatedSamplesAreIndependent(of body: Body) {
    let x = whiteNoise(count: Int(VA_STAGE_SPAN), rms: 0.5, seed: 5)
    let taps = whiteNoise(count: 96, rms: 0.1, seed: 6)
    for (count, step) in [(48, 3), (28, 2), (24, 1), (32, 2)] {
      let used = [va_tap_range](
        repeating: va_tap_range(from: 0, to: UInt8(count / step)), count: step)
      var alone = [Float](repeating: .nan, count: 161)
      for m in alone.indices {
        body.kernels.pointee.decimate(
          Array(x[(step * m)...]), taps, used, count, step, &alone[m], 1)
        let sum = (0..<count).reduce(0.0) { $0 + Double(x[step * m + $1]) * Double(taps[$1]) }
        #expect(abs(Double(alone[m]) - sum) < 1e-5)
      }
      for outputs in 0...alone.count {
        var together = [Float](repeating: .nan, count: outputs)
        body.kernels.pointee.decimate(x, taps, used, count, step, &together, outputs)
        #expect(together == Array(alone.prefix(outputs)))
      }
    }
  }
}
