import Foundation
import TestSupport

/// Returns random samples over the whole range, its extremes first.
func noise<Value: FixedWidthInteger>(_ count: Int, seed: UInt64 = 1) -> [Value] {
  var generator = SeededGenerator(seed: seed)
  let ends: [Value] = [.min, .max, 0, 1]
  return Array(ends.prefix(count))
    + (ends.count..<max(ends.count, count)).map { _ in
      Value.random(in: .min ... .max, using: &generator)
    }
}

func int16Bytes(_ samples: [Int16]) -> [UInt8] { samples.flatMap { littleEndian($0) } }

func int16(_ signal: [Float]) -> [Int16] {
  signal.map { Int16(max(-32768, min(32767, ($0 * 32768).rounded()))) }
}

func scaled(_ samples: [Int16]) -> [Float] { samples.map { Float($0) / 32768 } }

func rms(_ signal: some Collection<Float>) -> Double {
  var sum = 0.0
  for sample in signal { sum += Double(sample) * Double(sample) }
  return (sum / Double(signal.count)).squareRoot()
}

/// Returns the normalised correlation, −1 … 1, of 100 ms in the middle of `reference` (at 48 kHz) with `signal`
/// shifted by up to `lag` frames, and the shift that fits best.
func bestCorrelation(
  _ signal: [Float], _ reference: [Float], lag: Int
) -> (value: Double, lag: Int) {
  let (start, count) = (reference.count / 2, 4800)
  let still = Array(reference[start..<start + count])
  return (-lag...lag).map { shift in
    let moved = Array(signal[start + shift..<start + shift + count])
    var product: Float = 0
    for index in 0..<count { product += still[index] * moved[index] }
    return (Double(product) / Double(count) / max(1e-12, rms(still) * rms(moved)), shift)
  }.max { $0.0 < $1.0 }!
}

/// Returns a tone that glides from 200 to 2200 Hz, so that it does not resemble itself a little later.
func glide(rate: Int, seconds: Int) -> [Float] {
  var phase = 0.0
  return (0..<rate * seconds).map { index in
    phase += 2 * .pi * (200 + 2000 * Double(index) / Double(rate * seconds)) / Double(rate)
    return Float(0.5 * sin(phase))
  }
}
