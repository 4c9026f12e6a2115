import CVoiceActivity
import CVoiceActivityInternals
import RealModule
import Testing

/// Returns pulses at a pitch, which have a flat harmonic spectrum.
private func pulses(_ pitch: Double, count: Int) -> [Float] {
  var phase = 0.0
  return (0..<count).map { _ in
    phase += pitch / 16_000
    defer { if phase >= 1 { phase -= 1 } }
    return phase >= 1 ? 0.5 : 0
  }
}

extension Body {
  /// Returns the pitches of some windows, found together.
  fileprivate func pitches(_ powers: [[Float]]) -> [va_pitch] {
    var pitches = [va_pitch](repeating: va_pitch(), count: powers.count)
    Array(powers.map { $0.prefix(Int(VA_PITCH_BINS)) }.joined()).withUnsafeBytes {
      let lowest = $0.baseAddress!.assumingMemoryBound(to: va_pitch_powers.self)
      kernels.pointee.pitches(lowest, &pitches, powers.count)
    }
    return pitches
  }
}

@Suite struct PitchTests {
  /// The definition: the largest sum over the lags of magnitudes times cosines, divided by the sum of the magnitudes.
  static func naive(_ powers: [Float]) -> (periodicity: Double, lag: Int) {
    var best = (0.0, 20)
    for lag in 20..<128 {
      let correlation = correlation(powers, lag: lag)
      if correlation > best.0 { best = (correlation, lag) }
    }
    return best
  }

  static func correlation(_ powers: [Float], lag: Int) -> Double {
    let magnitudes = (3..<80).map { ($0, Double(powers[$0]).squareRoot()) }
    let sum = magnitudes.reduce(0.0) { sum, bin in
      sum + bin.1 * Double.cos(2 * .pi * Double(bin.0 * lag) / 256)
    }
    let all = magnitudes.reduce(0.0) { $0 + $1.1 }
    return all > 0 ? sum / all : 0
  }

  @Test(arguments: Body.available)
  func agreesWithTheDefinition(of body: Body) {
    for seed in 0..<40 as Range<UInt64> {
      let noise = whiteNoise(count: 512, rms: 0.01, seed: seed)
      let sound = pulses(60 + 8 * Double(seed), count: 512)
      for x in [noise, zip(noise, sound).map { $0 + $1 }] {
        let powers = body.powers(x, window: analysisWindow)
        let (expected, pitch) = (Self.naive(powers), body.pitches([powers])[0])
        #expect(abs(Double(pitch.periodicity) - expected.periodicity) < 3e-4)
        // Rounded to 16 bits, two lags may be equally good.
        #expect(Self.correlation(powers, lag: Int(pitch.lag)) > expected.periodicity - 3e-4)
      }
    }
  }

  @Test(arguments: Body.available)
  func silenceHasNoPitch(of body: Body) {
    let pitch = body.pitches([[Float](repeating: 0, count: Int(VA_BINS))])[0]
    #expect(pitch.periodicity == 0 && pitch.lag == 20)
  }

  /// Seven windows: four side by side, three alone.
  @Test(arguments: Body.available)
  func windowsAreIndependent(of body: Body) {
    let powers = (0..<7 as Range<UInt64>).map { seed in
      let noise = whiteNoise(count: 512, rms: 0.01, seed: seed)
      let sound = pulses(70 + 40 * Double(seed), count: 512)
      return body.powers(zip(noise, sound).map { $0 + $1 }, window: analysisWindow)
    }
    for (pitch, alone) in zip(body.pitches(powers), powers.map { body.pitches([$0])[0] }) {
      #expect(pitch.periodicity == alone.periodicity && pitch.lag == alone.lag)
    }
  }

  @Test(arguments: [80.0, 110, 150, 220, 300, 390])
  func voicedSoundsArePeriodicAndNoiseIsNot(pitch: Double) {
    let body = Body.portable
    func measure(_ x: [Float]) -> va_pitch {
      body.pitches([body.powers(x, window: analysisWindow)])[0]
    }
    let voiced = measure(pulses(pitch, count: 512))
    let noises = (0..<50).map { measure(whiteNoise(count: 512, rms: 0.1, seed: $0)).periodicity }
    #expect(voiced.periodicity > noises.max()!, "\(pitch) Hz")
    #expect(abs(8000 / Double(voiced.lag) / pitch - 1) < 0.06, "a lag step is 2 samples")
  }
}
