import RealModule
import TestSupport

extension SeededGenerator {
  /// Returns a standard normal number (Box and Muller 1958).
  mutating func gaussian() -> Double {
    let u = Double.random(in: Double.leastNormalMagnitude..<1, using: &self)
    let v = Double.random(in: 0..<1, using: &self)
    return Double.sqrt(-2 * Double.log(u)) * Double.cos(2 * .pi * v)
  }
}

func whiteNoise(count: Int, rms: Double, seed: UInt64) -> [Float] {
  var generator = SeededGenerator(seed: seed)
  return (0..<count).map { _ in Float(rms * generator.gaussian()) }
}

/// Returns a sound that a detector takes for speech: syllables of a voiced sound (harmonics of a gliding pitch under
/// two formants) four times a second, over faint noise. It speaks in `phrases` (seconds).
func synthesizedSpeech(
  seconds: Double, rate: Double = 16_000, phrases: [ClosedRange<Double>], seed: UInt64 = 1
) -> [Float] {
  var phase = 0.0
  var generator = SeededGenerator(seed: seed)
  return (0..<Int(seconds * rate)).map { n in
    let t = Double(n) / rate
    let pitch = 140 + 30 * Double.sin(2 * .pi * 0.7 * t)
    phase += 2 * .pi * pitch / rate
    let noise = 1e-4 * generator.gaussian()
    guard phrases.contains(where: { $0.contains(t) }) else { return Float(noise) }
    return Float(0.1 * syllable(t) * voicedSound(phase, pitch: pitch, t) + noise)
  }
}

private func syllable(_ t: Double) -> Double { max(0, Double.sin(2 * .pi * 4 * t)) + 0.05 }

private func voicedSound(_ phase: Double, pitch: Double, _ t: Double) -> Double {
  let formants = [(500 + 200 * Double.sin(2 * .pi * 2 * t), 1.0), (1500, 0.5), (2500, 0.2)]
  return (1...24).reduce(0.0) { sum, harmonic in
    let frequency = pitch * Double(harmonic)
    let gain = formants.reduce(0.0) { sum, formant in
      let distance = (frequency - formant.0) / 120
      return sum + formant.1 / (1 + distance * distance)
    }
    return sum + gain * Double.sin(phase * Double(harmonic))
  }
}

func meanSquare(_ samples: some Collection<Float>) -> Double {
  samples.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(samples.count)
}

func decibels(_ power: Double) -> Double { 10 * Double.log10(max(power, 1e-30)) }
