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
        let expected = naivePowers(zip(x, window).map { Double($0) * Double($1) })
        let scale = max(expected.max()!, 1e-12)
        for (bin, power) in body.powers(x, window: window).enumerated() {
          let error = abs(Double(power) - expected[bin]) / scale
          #expect(error < 1e-6, "\(name), bin \(bin)")
        }
      }
    }
  }

  @Test(arguments: Body.available)
  func everyToneStandsInItsBin(of body: Body) {
    for bin in 1..<Self.window / 2 {
      let x = tone(Double(bin), count: Self.window, rate: 512, amplitude: 1, phase: 0.3)
      let power = body.powers(x, window: [Float](repeating: 1, count: Self.window))
      #expect(abs(power[bin] - 65536) < 0.2, "bin \(bin)")  // (512 / 2)²
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
  func smallKernelsAgreeWithTheDefinition(of body: Body) {
    let a = whiteNoise(count: 160, rms: 0.5, seed: 3)
    let b = whiteNoise(count: 160, rms: 0.5, seed: 4)
    for count in stride(from: 4, through: 160, by: 4) {
      let dot = zip(a, b).prefix(count).reduce(0.0) { $0 + Double($1.0) * Double($1.1) }
      #expect(abs(Double(body.kernels.pointee.dot(a, b, count)) - dot) < 1e-5)
      let c = Array(b.reversed())
      let other = zip(a, c).prefix(count).reduce(0.0) { $0 + Double($1.0) * Double($1.1) }
      let blend = Double(body.kernels.pointee.blend(a, b, c, count, 0.3))
      #expect(abs(blend - (dot + 0.3 * (other - dot))) < 1e-5)
    }
    var sum: Float = 0
    var peak: Float = 0
    body.kernels.pointee.level(a, 160, &sum, &peak)
    #expect(abs(Double(sum) / 160 - meanSquare(a)) < 1e-6)
    #expect(peak == a.map(abs).max()!)
  }

  @Test(arguments: Body.available)
  func decimationAgreesWithTheDefinition(of body: Body) {
    let x = whiteNoise(count: 576, rms: 0.5, seed: 5)
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
    let x = whiteNoise(count: 576, rms: 0.5, seed: 7)
    var generator = SeededGenerator(seed: 8)
    for step in [1, 2, 3, 1, 2, 3, 1, 2, 3] {
      let count = 96 / step
      var taps = whiteNoise(count: 96, rms: 0.5, seed: 9)
      let used = (0..<step).map { of in
        let from = 2 * Int.random(in: 0...count / 2, using: &generator)
        let to = from + 2 * Int.random(in: 0...(count - from) / 2, using: &generator)
        for n in 0..<count where !(from..<to).contains(n) { taps[step * n + of] = 0 }
        return va_tap_range(from: UInt8(from), to: UInt8(to))
      }
      for outputs in [1, 16, 50, 160] {
        var out = [Float](repeating: .nan, count: outputs)
        body.kernels.pointee.decimate(x, taps, used, 96, step, &out, outputs)
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
      let quiet = (0..<count).map { [Float(1).nextDown, 0, -least, -0.0, -0.5][$0 % 5] }
      #expect(body.kernels.pointee.is_clean(quiet, count))
      for index in 0..<count {
        for sample in unclean {
          var x = quiet
          x[index] = sample
          #expect(!body.kernels.pointee.is_clean(x, count), "\(sample) at \(index) of \(count)")
        }
      }
    }
  }
}
