import CVoiceActivity
import CVoiceActivityInternals
import Foundation
import RealModule
import TestSupport
import Testing

/// Calls the resampler once with room for 161 outputs, and with memory before `samples` that it may overwrite.
private func process(
  _ resampler: inout va_resampler, _ body: Body, _ samples: ArraySlice<Float>, _ room: inout [Float]
) -> Int {
  var span = [Float](repeating: .nan, count: Int(VA_STAGE_KEPT)) + samples
  return span.withUnsafeMutableBufferPointer {
    va_resampler_process(
      &resampler, body.kernels, $0.baseAddress! + Int(VA_STAGE_KEPT), samples.count, &room)
  }
}

/// Runs the resampler as the detector does. `chunk` limits how much it gets at once.
func resample(_ input: [Float], rate: Int, chunk: Int = .max, body: Body = .portable) -> [Float] {
  var resampler = va_resampler()
  va_resampler_init(&resampler, UInt32(rate))
  var output: [Float] = []
  var room = [Float](repeating: 0, count: 161)
  var position = 0
  while position < input.count {
    let wanted = Int(va_resampler_input_for(&resampler, 160))
    let count = min(wanted, input.count - position, chunk)
    let produced = process(&resampler, body, input[position..<position + count], &room)
    output += room.prefix(produced)
    position += count
  }
  return output
}

@Suite struct ResamplerTests {
  static let rates = [
    8000, 8001, 11_025, 12_000, 15_999, 16_000, 16_001, 22_050, 22_254, 24_000, 24_001, 31_999,
    32_000, 37_000, 37_800, 40_000,
    44_100, 48_000, 48_001, 64_000, 80_000, 88_200, 96_000, 100_003, 128_000, 160_000, 176_400,
    191_999, 192_000,
  ]

  static func passHertz(_ rate: Int) -> Double {
    var resampler = va_resampler()
    va_resampler_init(&resampler, UInt32(rate))
    return Double(va_resampler_pass_hz(&resampler))
  }

  /// Seconds by which the outputs are late: half of each stage's kernel. Kernels have 28 taps where the rate is halved,
  /// and 24 (up to 24 kHz), 32 (32 kHz), 40 (44.1 kHz) or 48 taps.
  static func delay(_ rate: Int) -> Double {
    var (rate, delay) = (Double(rate), 0.0)
    while rate > 48_000 { (delay, rate) = (delay + 14 / rate, rate / 2) }
    guard rate != 16_000 && rate != 8000 else { return delay }
    return delay + (rate <= 24_000 ? 12 : rate == 32_000 ? 16 : rate == 44_100 ? 20 : 24) / rate
  }

  /// The rate of the output.
  static func analysisRate(_ rate: Int) -> Double { rate == 8000 ? 8000 : 16_000 }

  /// The pass band that the header promises: 6.5 kHz at a bank's own rate, at least 4.3 kHz above 16 kHz, and 7/16 of
  /// a rate below that.
  @Test(arguments: rates)
  func passBandIsAsPromised(rate: Int) {
    let pass = Self.passHertz(rate)
    let whole = [16_000, 22_050, 24_000, 32_000, 44_100, 48_000]
    if whole.contains(where: { [$0, 2 * $0, 4 * $0].contains(rate) }) {
      #expect(abs(pass - 6500) < 1)
    } else if rate > 16_000 {
      #expect(pass > 4300 && pass <= 6500)
    } else if rate > 8000 {
      #expect(abs(pass - min(Double(rate) * 7 / 16, 6500)) < 1)
    }
  }

  /// The oracle is the sine itself, sampled at 16 kHz: right gain, right time, no image.
  @Test(arguments: rates)
  func tonesInThePassBandComeOutAsTheyAre(rate: Int) {
    let pass = Self.passHertz(rate)
    for part in [0.01, 0.1, 0.37, 0.73, 0.99] {
      let hertz = pass * part
      let output = resample(
        tone(hertz, count: rate / 4, rate: Double(rate), amplitude: 1, phase: 0.4), rate: rate)
      let seconds = Double(output.count) / Self.analysisRate(rate)
      #expect(seconds > 0.2499 && seconds <= 0.2501)
      let steady = 200..<output.count
      let error = steady.map { n in
        let time = Double(n) / Self.analysisRate(rate) - Self.delay(rate)
        return output[n] - Float(Double.sin(2 * .pi * hertz * time + 0.4))
      }
      #expect(decibels(meanSquare(error) / 0.5) < -48, "\(hertz) Hz at \(rate)")
    }
  }

  /// Frequencies that would fold into the pass band are removed.
  @Test(arguments: rates.filter { $0 > 18_000 })
  func aliasesAreFortyEightDecibelsDown(rate: Int) {
    let pass = Self.passHertz(rate)
    let nyquist = Double(rate) / 2
    for part in stride(from: 0.0, through: 1, by: 0.05) {
      let hertz = (16_000 - pass) + (nyquist - 1 - (16_000 - pass)) * part
      guard hertz < nyquist else { continue }
      let output = resample(
        tone(hertz, count: rate / 4, rate: Double(rate), amplitude: 1, phase: 0.4), rate: rate)
      #expect(decibels(meanSquare(output.dropFirst(200)) / 0.5) < -48, "\(hertz) Hz at \(rate)")
    }
  }

  /// Compares noise with an independent program: SoX's rate effect at its very high quality.
  @Test(arguments: [11_025, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000, 192_000])
  func agreesWithSoX(rate: Int) throws {
    let cutoff = Self.passHertz(rate) * 0.95
    let input = bandLimitedNoise(seconds: 1, rate: rate, below: cutoff, late: Self.delay(rate))
    let expected = try sox(input, from: rate, to: 16_000)
    let output = resample(bandLimitedNoise(seconds: 1, rate: rate, below: cutoff), rate: rate)
    let steady = 800..<15_000
    let error = steady.map { output[$0] - expected[$0] }
    let signal = meanSquare(expected[steady])
    #expect(decibels(meanSquare(error) / signal) < -48, "\(rate)")
  }

  @Test(arguments: rates)
  func chunksDoNotMatter(rate: Int) {
    let input = whiteNoise(count: rate / 8, rms: 0.3, seed: 7)
    for body in Body.available {
      let whole = resample(input, rate: rate, body: body)
      for chunk in [1, 7, 64] {
        #expect(resample(input, rate: rate, chunk: chunk, body: body) == whole)
      }
    }
  }

  @Test func bodiesAgree() {
    let input = whiteNoise(count: 12_000, rms: 0.3, seed: 8)
    for rate in [11_025, 22_050, 37_000, 44_100, 48_000, 192_000] {
      let portable = resample(input, rate: rate)
      for body in Body.available {
        let other = resample(input, rate: rate, body: body)
        #expect(zip(portable, other).allSatisfy { abs($0 - $1) < 1e-5 })
      }
    }
  }

  /// The first output at or after an input position is exact, however long the stream is.
  @Test(arguments: rates)
  func restartsOnTheGrid(rate: Int) {
    for position: UInt64 in [0, 1, 2, 3, 479, 480, 481, 1 << 32, (1 << 32) + 1, 1 << 55] {
      var resampler = va_resampler()
      va_resampler_init(&resampler, UInt32(rate))
      let index = va_resampler_restart(&resampler, position)
      let scaled = position.multipliedFullWidth(by: UInt64(Self.analysisRate(rate)))
      let (quotient, remainder) = UInt64(rate).dividingFullWidth(scaled)
      let exact = quotient + (remainder == 0 ? 0 : 1)
      // Each halving may round up once more.
      #expect(index >= exact && index <= exact + 1, "\(position) at \(rate)")
    }
  }

  /// After a restart at a position, a tone continues with the right phase.
  @Test(arguments: [11_025, 44_100, 48_000, 96_000, 100_003])
  func restartKeepsTime(rate: Int) {
    for position in [1, 77, 1000, 44_099] {
      var resampler = va_resampler()
      va_resampler_init(&resampler, UInt32(rate))
      let first = va_resampler_restart(&resampler, UInt64(position))
      let hertz = 1000.0
      let input = (0..<rate / 10).map { n in
        Float(Double.sin(2 * .pi * hertz * Double(position + n) / Double(rate)))
      }
      let output = drive(&resampler, input)
      let error = (200..<output.count).map { n in
        let time = Double(first + UInt64(n)) / 16_000 - Self.delay(rate)
        return output[n] - Float(Double.sin(2 * .pi * hertz * time))
      }
      #expect(decibels(meanSquare(error) / 0.5) < -48, "\(position) at \(rate)")
    }
  }

  private func drive(_ resampler: inout va_resampler, _ input: [Float]) -> [Float] {
    var output: [Float] = []
    var room = [Float](repeating: 0, count: 161)
    var rest = input[...]
    while !rest.isEmpty {
      let part = rest.prefix(Int(va_resampler_input_for(&resampler, 160)))
      let produced = process(&resampler, .portable, part, &room)
      output += room.prefix(produced)
      rest = rest.dropFirst(part.count)
    }
    return output
  }
}

/// Returns noise made of 200 sines, so that nothing lies above `below` hertz.
private func bandLimitedNoise(
  seconds: Double, rate: Int, below: Double, late: Double = 0
) -> [Float] {
  var generator = SeededGenerator(seed: 9)
  let sines = (0..<200).map { _ in
    (Double.random(in: 20...below, using: &generator), Double.random(in: 0...6, using: &generator))
  }
  return (0..<Int(seconds * Double(rate))).map { n in
    let t = 2 * Double.pi * (Double(n) / Double(rate) - late)
    return Float(0.02 * sines.reduce(0.0) { $0 + Double.sin(t * $1.0 + $1.1) })
  }
}

/// Resamples with the program sox, through raw 32-bit floats.
private func sox(_ input: [Float], from: Int, to: Int) throws -> [Float] {
  let result = try run(
    ["sox", "-D", "-t", "f32", "-r", "\(from)", "-c", "1", "-"]
      + ["-t", "f32", "-", "rate", "-v", "-s", "\(to)"],
    input: input.withUnsafeBytes { Data($0) })
  try #require(result.status == 0, "sox is missing: run make deps")
  return result.bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
}
