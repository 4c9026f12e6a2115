import CVoiceActivity
import CVoiceActivityInternals
import TestSupport
import Testing

/// The stage between the bands and the network.
@Suite struct EchoStageTests {
  /// Bands of a far end, and of a microphone that hears it late, with a gain that differs from band to band, beside a
  /// user and noise. The delay jumps in the middle. Without echo, the microphone hears bursts of something else.
  struct Bands {
    var reference: [[Float]] = [], totals: [Float] = [], microphone: [[Float]] = [],
      floor: [[Float]] = []

    init(steps: Int, seed: UInt64, hasEcho: Bool = true) {
      var random = SeededGenerator(seed: seed)
      let gain = (0..<40).map { _ in Float.random(in: -25...0, using: &random) }
      func talk(mostly: Bool) -> [[Float]] {
        var level = [Float](repeating: -60, count: 40)
        var speaks = true
        return (0..<steps).map { step in
          if step % (mostly ? 50 : 10) == 0 {
            speaks = Int.random(in: 0..<(mostly ? 3 : 8), using: &random) > (mostly ? 0 : 6)
          }
          for band in 0..<40 {
            let target: Float = speaks ? -35 : -95
            level[band] += 0.3 * (target - level[band]) + Float(8 * random.gaussian())
          }
          return level
        }
      }
      let near = talk(mostly: hasEcho)
      reference = talk(mostly: true)
      for step in 0..<steps {
        let heard = step - (step < steps / 2 ? 7 : 12)
        microphone.append(
          (0..<40).map { band in
            let echo = hasEcho && heard >= 0 ? reference[heard][band] + gain[band] : -110
            return max(
              -110,
              max(echo, max(near[step][band] - 5, hasEcho ? -80 : -100)) + Float(random.gaussian()))
          })
        floor.append((0..<40).map { _ in Float.random(in: -90 ... -75, using: &random) })
        totals.append(reference[step].max()! + 6)
      }
    }
  }

  /// An echo whose reference is given by its bands. Its memory is valid as long as it lives; kernels are static.
  final class Stage {
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: va_echo_size(), alignment: Int(VA_DETECTOR_ALIGNMENT))
    let echo: UnsafeMutablePointer<va_echo>
    let kernels: UnsafePointer<va_kernels>

    init(_ body: Body) {
      kernels = body.kernels
      var made: UnsafeMutablePointer<va_echo>?
      precondition(va_echo_init(memory, va_echo_size(), 16_000, &made) == VA_OK)
      echo = made!
    }
    deinit { memory.deallocate() }

    /// Takes a step whose reference is given by its bands instead of its samples. Returns the bands that are left.
    func step(_ bands: Bands, _ n: Int) -> [Float] {
      let row = n % 44
      let before = (n + 43) % 44
      var changes = [Int16](repeating: 0, count: 48)
      withUnsafeMutablePointer(to: &echo.pointee.reference.levels) {
        $0.withMemoryRebound(to: UInt8.self, capacity: 44 * 40 + 8) { levels in
          kernels.pointee.encode_levels(bands.reference[n], -110, levels + 40 * row)
          let energy = kernels.pointee.level_changes(
            levels + 40 * row, levels + 40 * before, &changes)
          withUnsafeMutableBytes(of: &echo.pointee.reference.energies) {
            let energies = $0.bindMemory(to: UInt16.self)
            for i in energies.indices.dropFirst().reversed() { energies[i] = energies[i - 1] }
            energies[0] = UInt16(energy)
          }
        }
      }
      withUnsafeMutableBytes(of: &echo.pointee.reference.totals) {
        $0[row] = UInt8((min(max(bands.totals[n], -110), 10) + 110) * 2 + 0.5)
      }
      echo.pointee.reference.steps += 1
      va_echo_begin_step(echo)
      var left = bands.microphone[n]
      va_echo_measure(echo, kernels, &left, bands.floor[n])
      return left
    }
  }

  @Test(arguments: Body.available, [true, false])
  func theStageDoesWhatItsDescriptionSays(body: Body, hasEcho: Bool) {
    let bands = Bands(steps: 1_500, seed: 5, hasEcho: hasEcho)
    let stage = Stage(body)
    var naive = NaiveEcho()
    var different = 0
    var taken = 0
    var takenLate = 0
    for n in 0..<1_500 {
      let left = stage.step(bands, n)
      let expected = naive.step(
        reference: bands.reference[n].map(Double.init), total: Double(bands.totals[n]),
        microphone: bands.microphone[n].map(Double.init), floor: bands.floor[n].map(Double.init))
      #expect(Int(stage.echo.pointee.delay.lag) == expected.lag)
      #expect(abs(Double(stage.echo.pointee.delay.fit) - expected.fit) < 1e-3)
      #expect(stage.echo.pointee.delay.is_lost == expected.isLost)
      for band in 0..<40 {
        let heard = bands.microphone[n][band]
        let silenced = min(heard, bands.floor[n][band])
        let want = expected.isEcho[band] ? silenced : heard
        taken += want != heard ? 1 : 0
        takenLate += want != heard && n >= 1_000 ? 1 : 0
        different += left[band] == want ? 0 : 1
      }
    }
    #expect(
      different <= 5, "where rounding decides whether a gain is learned or a band is at the limit")
    if hasEcho {
      #expect(taken > 5_000 && taken < 50_000)
    } else {
      #expect(takenLate == 0, "what does not resemble the reference is left")
    }
  }

  /// Echo is recent from the first step in which an audible band is only echo to the fiftieth step after the last.
  @Test func echoIsRecentForASecond() {
    var bands = Bands(steps: 1_500, seed: 5)
    for n in 600..<750 {
      bands.reference[n] = [Float](repeating: -110, count: 40)
      bands.totals[n] = -110
    }
    let stage = Stage(Body.available[0])
    var last: Int?
    var recent = 0
    for n in 0..<1_500 {
      let left = stage.step(bands, n)
      let hasEcho = (0..<40).contains {
        left[$0] != bands.microphone[n][$0] && bands.microphone[n][$0] > bands.floor[n][$0] + 3
      }
      if hasEcho { last = n }
      let expected =
        last.map { n - $0 < 50 } ?? false
      #expect(va_echo_is_recent(stage.echo) == expected, "step \(n)")
      recent += expected ? 1 : 0
    }
    #expect(recent > 1_000 && recent < 1_450)
    for n in 0..<50 {
      #expect(va_echo_is_recent(stage.echo) == (1_499 - last! + n < 50))
      va_echo_pass(stage.echo)
    }
    #expect(!va_echo_is_recent(stage.echo))
  }

  /// Not one bit depends on the body: the sums are of integers, and products are rounded by themselves.
  @Test func allBodiesTakeOutTheSameBandsBitForBit() {
    let bands = Bands(steps: 2_000, seed: 11)
    let stages = Body.available.map(Stage.init)
    for n in 0..<2_000 {
      let left = stages.map { $0.step(bands, n).map(\.bitPattern) }
      #expect(Set(left).count == 1)
      #expect(Set(stages.map { $0.echo.pointee.delay.fit.bitPattern }).count == 1)
    }
    let paths = stages.map { stage in withUnsafeBytes(of: stage.echo.pointee.path) { Array($0) } }
    #expect(Set(paths).count == 1)
  }

  @Test(arguments: Body.available)
  func thinningOutIsAMeanUnderATriangle(body: Body) {
    let sound = whiteNoise(count: 200, rms: 0.3, seed: 2)
    for step in 2...3 {
      var out = [Float](repeating: 0, count: 40)
      body.kernels.pointee.thin_out(sound, step, &out, 30)
      let weights = (0..<2 * step).map { Double(min($0, 2 * step - 1 - $0)) + 0.5 }
      for m in 0..<30 {
        let mean = weights.indices.reduce(0.0) { $0 + weights[$1] * Double(sound[step * m + $1]) }
        #expect(abs(Double(out[m]) - mean / weights.reduce(0, +)) < 1e-6)
      }
    }
  }

  /// Between 441 samples there are 160, or 276, or 640 more than 441 have.
  @Test(
    arguments: Body.available, [(1, 441, 640, 100), (2, 441, 320, 100), (3, 441, 160, 0)])
  func blendingIsAMeanOverSomeSamples(
    body: Body, times: (reach: Int, step: Int, divisor: Int, phase: Int)
  ) {
    let sound = whiteNoise(count: 441 + times.reach, rms: 0.3, seed: 2)
    let count = (441 * times.divisor - times.phase) / times.step
    var out = [Float](repeating: 0, count: count + 8)
    body.kernels.pointee.blend(
      sound,
      va_times(
        phase: UInt32(times.phase), step: UInt32(times.step), divisor: UInt32(times.divisor)),
      Int32(times.reach), &out, count)
    for m in 0..<count {
      // Linear between samples, the integral over so many of them is a sum of trapezoids' middles: of the samples at
      // the same place behind each.
      let time = times.phase + m * times.step
      let (at, part) = (time / times.divisor, Double(time % times.divisor) / Double(times.divisor))
      let mean =
        (0..<times.reach).reduce(0.0) {
          $0 + (1 - part) * Double(sound[at + $1]) + part * Double(sound[at + $1 + 1])
        } / Double(times.reach)
      #expect(abs(Double(out[m]) - mean) < 1e-6)
    }
  }

  @Test(arguments: Body.available)
  func samplesBecomeIntegers(body: Body) {
    let odd: [Float] =
      [
        0, 0.5, -0.5, 1, -1, 0.99999, 7, -7, .nan, .infinity, -.infinity,
        Float.leastNonzeroMagnitude,
        3e38, -3e38, 1e-5,
        -2.5e-5,
      ] + [Float](repeating: 0.25, count: 16)
    var out = [Int16](repeating: 9, count: 32)
    #expect(body.kernels.pointee.clean_to_16_bits(odd, 32, 1, &out) == 3e38)
    #expect(
      out == [
        0, 16384, -16384, 32767, -32768, 32767, 32767, -32768, 0, 0, 0, 0, 32767, -32768, 0, -1,
      ] + [Int16](repeating: 8192, count: 16))
    let sound = whiteNoise(count: 32, rms: 0.3, seed: 4)
    var half = [Int16](repeating: 0, count: 32)
    let peak = body.kernels.pointee.clean_to_16_bits(sound, 32, 0.5, &half)
    #expect(peak == sound.map(abs).max())
    #expect(zip(half, sound).allSatisfy { abs(Float($0) - 16384 * $1) <= 0.5 })
  }
}
