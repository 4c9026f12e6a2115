import CVoiceActivity
import CVoiceActivityInternals
import RealModule
import TestSupport
import Testing

@Suite struct SpectrumTests {
  static let window = Int(VA_WINDOW)

  /// Impulses (every position mod 16 matters in a 16 × 16 transform), DC, Nyquist, noise.
  static let signals: [(name: String, x: [Float])] = {
    var list: [(String, [Float])] = [
      ("DC", [Float](repeating: 1, count: window)),
      ("Nyquist", (0..<window).map { $0 % 2 == 0 ? 1 : -1 }),
      ("noise", whiteNoise(count: window, rms: 0.3, seed: 1)),
      ("ramp", (0..<window).map { Float($0) / 512 }),
      ("silence", [Float](repeating: 0, count: window)),
    ]
    for position in [0, 1, 2, 15, 16, 17, 255, 256, 257, 511] {
      list.append(("impulse at \(position)", (0..<window).map { $0 == position ? 1 : 0 }))
    }
    return list
  }()

  @Test(arguments: Body.available)
  func powersAgreeWithTheDefinition(of body: Body) {
    for (name, x) in Self.signals {
      for window in [analysisWindow, [Float](repeating: 1, count: Self.window)] {
        let expected = naivePowers(zip(asAnalysed(x), window).map { Double($0) * Double($1) })
        let scale = max(expected.max()!, 1e-12)
        for (bin, power) in body.powers(x, window: window).enumerated() {
          let error = abs(Double(power) - expected[bin]) / scale
          #expect(error < 1e-6, "\(name), bin \(bin)")
        }
      }
    }
  }

  /// The same signals at 8 kHz: the first half of each.
  @Test(arguments: Body.available)
  func powersOfHalfAWindowAgreeWithTheDefinition(of body: Body) {
    for (name, x) in Self.signals {
      let half = Array(x.prefix(Self.window / 2))
      for window in [halfWindow, [Float](repeating: 1, count: half.count)] {
        let expected = naivePowers(zip(asAnalysed(half), window).map { Double($0) * Double($1) })
        let scale = max(expected.max()!, 1e-12)
        let powers = body.powers(half, window: window)
        #expect(powers.count == expected.count)
        for (bin, power) in powers.enumerated() {
          #expect(abs(Double(power) - expected[bin]) / scale < 1e-6, "\(name), bin \(bin)")
        }
      }
    }
  }

  /// Windows of 16-bit samples, in units of 1, whole and half.
  @Test(arguments: Body.available, [512, 256])
  func powersOfIntegersAgreeWithTheDefinition(of body: Body, length: Int) {
    for (name, x) in Self.signals {
      let samples = x.prefix(length).map { Int16((8000 * $0).rounded()) }
      let window = length == 512 ? analysisWindow : halfWindow
      let expected = naivePowers(zip(samples, window).map { Double($0) * Double($1) })
      let scale = max(expected.max()!, 1e-12)
      var powers = [Float](repeating: .nan, count: length / 2 + 1)
      body.kernels.pointee.power_of_16_bits(samples, length, window, &powers)
      for (bin, power) in powers.enumerated() {
        #expect(abs(Double(power) - expected[bin]) / scale < 1e-6, "\(name), bin \(bin)")
      }
    }
  }

  /// A tone has the same power in the same bin at both rates.
  @Test func bothWindowsHaveOneScale() {
    for hertz in [500.0, 1234, 3000] {
      let whole = tone(hertz, count: 512, rate: 16_000, amplitude: 1, phase: 0.3)
      let half = tone(hertz, count: 256, rate: 8000, amplitude: 1, phase: 0.3)
      let expected = Body.portable.powers(whole, window: analysisWindow)
      let powers = Body.portable.powers(half, window: halfWindow)
      let (peak, bin) = (expected.max()!, expected.firstIndex(of: expected.max()!)!)
      #expect(abs(powers[bin] - peak) < 0.01 * peak && powers.max()! == powers[bin])
    }
  }

  @Test(arguments: Body.available)
  func everyToneStandsInItsBin(of body: Body) {
    for bin in 1..<Self.window / 2 {
      let x = tone(Double(bin), count: Self.window, rate: 512, amplitude: 1, phase: 0.3)
      let power = body.powers(x, window: [Float](repeating: 1, count: Self.window))
      #expect(abs(power[bin] - 65536) < 0.4, "bin \(bin)")  // (512 / 2)²
      #expect(power.enumerated().allSatisfy { $0.offset == bin || $0.element < 0.01 })
    }
  }

  @Test(arguments: Body.available.dropFirst())
  func bodiesAgree(_ body: Body) throws {
    for (name, x) in Self.signals {
      let portable = Body.portable.powers(x, window: analysisWindow)
      let simd = body.powers(x, window: analysisWindow)
      let scale = max(portable.max()!, 1e-12)
      for (a, b) in zip(portable, simd) { #expect(abs(a - b) <= 1e-5 * scale, "\(name)") }
    }
  }

  @Test(arguments: Body.available)
  func levelsAgreeWithTheDefinition(of body: Body) {
    let a = whiteNoise(count: 160, rms: 0.5, seed: 3)
    for count in [160, 80] {
      var sum: Float = 0
      var peak: Float = 0
      body.kernels.pointee.level(a, count, &sum, &peak)
      #expect(abs(Double(sum) / Double(count) - meanSquare(a.prefix(count))) < 1e-6)
      #expect(peak == a.prefix(count).map(abs).max()!)
    }
  }

  /// Rounded to the nearest integer, like the standard library rounds.
  @Test(arguments: Body.available)
  func sixteenBitsAreTheNearest(of body: Body) {
    let x = whiteNoise(count: 192, rms: 0.3, seed: 10)
    let scale = 32767 / x.map(abs).max()!
    for count in [192, 96] {
      var out = [Int16](repeating: .min, count: count)
      body.kernels.pointee.to_16_bits(x, count, scale, &out)
      #expect(out == x.prefix(count).map { Int16(($0 * scale).rounded(.toNearestOrEven)) })
    }
  }

  @Test(arguments: Body.available)
  func decimationAgreesWithTheDefinition(of body: Body) {
    let x = whiteNoise(count: Int(VA_STAGE_SPAN), rms: 0.5, seed: 5)
    let taps = whiteNoise(count: 36, rms: 0.5, seed: 6)
    for step in 1...3 {
      let outputs = (x.count - taps.count) / step + 1
      let used = [va_tap_range](
        repeating: va_tap_range(from: 0, to: UInt8(taps.count / step)), count: step)
      var out = [Float](repeating: .nan, count: outputs)
      body.kernels.pointee.decimate(x, taps, used, taps.count, step, &out, outputs)
      for m in 0..<outputs {
        let expected = taps.indices.reduce(0.0) { $0 + Double(x[step * m + $1]) * Double(taps[$1]) }
        #expect(abs(Double(out[m]) - expected) < 1e-5)
      }
    }
  }

  /// Taps outside the ranges are 0 and are not read, wherever the ranges begin and end.
  @Test(arguments: Body.available)
  func decimationPassesOverTapsThatAreNotUsed(of body: Body) {
    let x = whiteNoise(count: Int(VA_STAGE_SPAN), rms: 0.5, seed: 7)
    var generator = SeededGenerator(seed: 8)
    for step in [1, 2, 3, 1, 2, 3, 1, 2, 3] {
      let count = 48 / step
      var taps = whiteNoise(count: 48, rms: 0.5, seed: 9)
      let used = (0..<step).map { of in
        let from = 2 * Int.random(in: 0...count / 2, using: &generator)
        let to = from + 2 * Int.random(in: 0...(count - from) / 2, using: &generator)
        for n in 0..<count where !(from..<to).contains(n) { taps[step * n + of] = 0 }
        return va_tap_range(from: UInt8(from), to: UInt8(to))
      }
      for outputs in [1, 16, 50, 160] {
        var out = [Float](repeating: .nan, count: outputs)
        body.kernels.pointee.decimate(x, taps, used, 48, step, &out, outputs)
        for m in 0..<outputs {
          let sum = taps.indices.reduce(0.0) { $0 + Double(x[step * m + $1]) * Double(taps[$1]) }
          #expect(abs(Double(out[m]) - sum) < 1e-5)
        }
      }
    }
  }

  /// One sample at or beyond full scale, next to nothing, or not a number is noticed, anywhere in blocks of any length.
  @Test(arguments: Body.available)
  func uncleanSamplesAreNoticedAnywhere(of body: Body) {
    let least = Float(VA_SAMPLE_LEAST)
    let unclean: [Float] = [
      1, -1, 2, .nan, -.nan, .infinity, -.infinity, least.nextDown, -least.nextDown,
      .leastNonzeroMagnitude, -.leastNonzeroMagnitude,
    ]
    for count in 0...33 {
      let quiet = (0..<count).map { [Float(1).nextDown, 0, -1.01 * least, -0.0, -0.5][$0 % 5] }
      var copy = [Float](repeating: .nan, count: count)
      #expect(body.kernels.pointee.copy_clean(quiet, count, &copy))
      #expect(copy == quiet)
      for index in 0..<count {
        for sample in unclean {
          var x = quiet
          x[index] = sample
          let clean = body.kernels.pointee.copy_clean(x, count, &copy)
          #expect(!clean, "\(sample) at \(index) of \(count)")
        }
      }
    }
  }
}
