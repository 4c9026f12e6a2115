import CVoiceActivity
import CVoiceActivityInternals
import TestSupport
import Testing

/// A bank of noise, and the times of outputs.
struct Interpolation: Sendable, CustomTestStringConvertible {
  let taps: Int
  let phases: Int
  let step: Int
  let divisor: Int
  let blends: Bool
  let rows: [Float]

  init(taps: Int, phases: Int, step: Int, divisor: Int) {
    (self.taps, self.phases, self.step, self.divisor) = (taps, phases, step, divisor)
    blends = taps != Int(VA_BANK_TAPS_44K)
    rows = whiteNoise(count: (phases + (blends ? 1 : 0)) * taps, rms: 0.1, seed: 4)
  }

  var testDescription: String { "\(taps) taps, \(step)/\(divisor)" }

  /// All kinds of banks, the longest steps, the largest divisors, and times that fall on rows.
  static let all = [
    Self(taps: 40, phases: 160, step: 441, divisor: 160),
    Self(taps: 24, phases: 16, step: 441, divisor: 320),
    Self(taps: 24, phases: 32, step: 441, divisor: 640),
    Self(taps: 24, phases: 32, step: 3, divisor: 4),
    Self(taps: 24, phases: 32, step: 8001, divisor: 16_000),
    Self(taps: 48, phases: 16, step: 189, divisor: 80),
    Self(taps: 48, phases: 16, step: 95_999, divisor: 32_000),
    Self(taps: 48, phases: 16, step: 191_999, divisor: 64_000),
  ]

  /// Runs the kernel.
  func outputs(_ count: Int, of x: ArraySlice<Float>, phase: Int, body: Body) -> [Float] {
    let times = va_times(phase: UInt32(phase), step: UInt32(step), divisor: UInt32(divisor))
    var out = [Float](repeating: .nan, count: count + 1)
    rows.withUnsafeBufferPointer { rows in
      var bank = va_bank(
        rows: rows.baseAddress, taps: UInt16(taps), phases: UInt16(phases), pass: 0)
      x.withUnsafeBufferPointer {
        body.kernels.pointee.interpolate($0.baseAddress, &bank, times, &out, count)
      }
    }
    let behind = out.removeLast()
    #expect(behind.isNaN)
    return out
  }

  /// Tap `i` of a row: the rows of banks that blend are in blocks of 24 taps.
  private func tap(_ i: Int, ofRow row: Int) -> Double {
    guard blends else { return Double(rows[row * taps + i]) }
    return Double(rows[(i / 24 * (phases + 1) + row) * 24 + i % 24])
  }

  /// Returns the output that lies `time` / divisor after the first sample.
  func defined(_ x: [Float], at time: Int) -> Double {
    let (row, rest) = (time % divisor * phases).quotientAndRemainder(dividingBy: divisor)
    let part = Double(rest) / Double(divisor)
    return (0..<taps).reduce(0.0) { sum, i in
      let below = tap(i, ofRow: row)
      let kernel = blends ? below + (tap(i, ofRow: row + 1) - below) * part : below
      return sum + Double(x[time / divisor + i]) * kernel
    }
  }
}

@Suite struct InterpolationTests {
  static let x = whiteNoise(count: Int(VA_STAGE_SPAN) + 8, rms: 0.5, seed: 5)

  @Test(arguments: Body.available, Interpolation.all)
  func agreesWithTheDefinition(of body: Body, _ bank: Interpolation) {
    for phase in [0, 1, bank.divisor / 2, bank.divisor - 1] {
      let out = bank.outputs(160, of: Self.x[...], phase: phase, body: body)
      for m in out.indices {
        let expected = bank.defined(Self.x, at: phase + m * bank.step)
        #expect(abs(Double(out[m]) - expected) < 1e-5)
      }
    }
  }

  /// An output has the same bits alone and among others, so chunks do not matter.
  @Test(arguments: Body.available, Interpolation.all)
  func outputsAreIndependent(of body: Body, _ bank: Interpolation) {
    let phase = bank.divisor / 3
    let alone = (0..<160).map { m in
      let (sample, rest) = (phase + m * bank.step).quotientAndRemainder(
        dividingBy: bank.divisor)
      return bank.outputs(1, of: Self.x[sample...], phase: rest, body: body)[0]
    }
    for count in 0...alone.count {
      let together = bank.outputs(count, of: Self.x[...], phase: phase, body: body)
      #expect(together == Array(alone.prefix(count)))
    }
  }
}
