import CVoiceActivity
import CVoiceActivityInternals
import RealModule
import TestSupport
import Testing

/// Measures every hop of a signal over a floor fed by the same signal; returns the last hop's features.
private func measure(_ x: [Float], body: Body = .portable) -> va_features {
  var memory = va_feature_memory()
  var floor = va_noise_floor()
  var features = va_features()
  var bands = [Float](repeating: 0, count: Int(VA_BANDS))
  va_features_init(&memory)
  va_noise_floor_init(&floor)
  for start in stride(from: 0, through: x.count - 512, by: 160) {
    let power = body.powers(Array(x[start..<start + 512]), window: analysisWindow)
    va_bands_db(power, &bands)
    va_noise_floor_update(&floor, bands)
    features = withUnsafeBytes(of: floor.floor) { raw in
      va_features_measure(
        &memory, body.kernels, power, bands, raw.bindMemory(to: Float.self).baseAddress!,
        Int32(VA_BANDS))
    }
  }
  return features
}

/// Pulses at a pitch: a flat harmonic spectrum.
private func pulses(_ pitch: Double, count: Int) -> [Float] {
  var phase = 0.0
  return (0..<count).map { _ in
    phase += pitch / 16_000
    defer { if phase >= 1 { phase -= 1 } }
    return phase >= 1 ? 0.5 : 0
  }
}

@Suite struct FeatureTests {
  static let noise = whiteNoise(count: 32_000, rms: 0.1, seed: 20)

  @Test(arguments: [80.0, 110, 150, 220, 300, 390])
  func voicedSoundsArePeriodicAndNoiseIsNot(pitch: Double) {
    let voiced = measure(pulses(pitch, count: 16_000)).periodicity
    let noise = measure(Self.noise).periodicity
    #expect(voiced > 0.3, "\(pitch) Hz")
    #expect(noise < 0.25)
  }

  @Test func flatnessTellsNoiseFromATone() {
    #expect(measure(Self.noise).flatness_db > -6)
    #expect(measure(tone(1000, count: 16_000, rate: 16_000)).flatness_db < -30)
  }

  /// One-pole filters: low-passed noise falls with frequency, its difference rises.
  @Test func tiltHasTheSignOfTheSlope() {
    var low: Float = 0
    let dark = Self.noise.map { x -> Float in
      low += 0.1 * (x - low)
      return low
    }
    let bright = zip(Self.noise.dropFirst(), Self.noise).map { $0 - $1 }
    let white = measure(Self.noise).tilt_db
    #expect(measure(dark).tilt_db > white + 4)
    #expect(measure(bright).tilt_db < white - 4)
  }

  @Test func steadyNoiseHasNoSNR() {
    let features = measure(Self.noise)
    #expect(features.snr_db < 3 && features.held_snr_db < 5)
  }

  @Test func fluxAndVariabilityRiseWithChange() {
    let gated = Self.noise.enumerated().map { n, x in (n / 1600) % 2 == 0 ? x : x * 0.01 }
    let steady = measure(Self.noise)
    let changing = measure(gated)
    #expect(changing.flux_db > steady.flux_db)
    #expect(changing.variability_db > steady.variability_db + 5)
  }

  /// No feature moves with the gain, as long as nothing meets the floor of the bands.
  @Test func gainMovesNothing() {
    let speech = synthesizedSpeech(seconds: 2, phrases: [0.5...1.9])
    let values = [1.0, 2.0, 8.0].map { gain in measure(speech.map { $0 * Float(gain) }).array }
    for other in values.dropFirst() {
      for (a, b) in zip(values[0], other) { #expect(abs(a - b) < 0.05) }
    }
  }

  @Test func bodiesAgree() {
    let speech = synthesizedSpeech(seconds: 2, phrases: [0.5...1.9])
    let portable = measure(speech).array
    for body in Body.available {
      for (a, b) in zip(portable, measure(speech, body: body).array) { #expect(abs(a - b) < 1e-3) }
    }
  }

  @Test func posteriorStaysWithinItsRange() {
    var generator = SeededGenerator(seed: 21)
    for _ in 0..<10_000 {
      var features = va_features()
      withUnsafeMutableBytes(of: &features) { raw in
        for i in 0..<7 {
          let wild = Float.random(in: -1e4...1e4, using: &generator)
          raw.storeBytes(of: wild, toByteOffset: 4 * i, as: Float.self)
        }
      }
      let posterior = va_posterior(&features)
      #expect(posterior >= 0 && posterior <= 1)
    }
  }

  @Test func posteriorTellsSpeechFromNoise() {
    var speech = measure(synthesizedSpeech(seconds: 2, phrases: [0.5...1.95]))
    var noise = measure(Self.noise)
    #expect(va_posterior(&speech) > 0.65)
    #expect(va_posterior(&noise) < 0.2)
  }
}

extension va_features {
  var array: [Float] {
    withUnsafeBytes(of: self) { Array($0.bindMemory(to: Float.self)) }
  }
}
