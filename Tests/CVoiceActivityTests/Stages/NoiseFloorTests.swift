import CVoiceActivity
import CVoiceActivityInternals
import RealModule
import TestSupport
import Testing

@Suite struct NoiseFloorTests {
  static let bands = Int(VA_BANDS)

  /// Feeds steps of white noise of an RMS and returns the floor of each band, in dBFS.
  func track(
    _ floor: inout va_noise_floor, seconds: Double, rms: Double, seed: UInt64, usable: Int = bands
  ) -> [Double] {
    let noise = whiteNoise(count: Int(seconds * 16_000) + 512, rms: rms, seed: seed)
    var result = [Float](repeating: .nan, count: Self.bands)
    for start in stride(from: 0, through: noise.count - 512, by: 320) {
      let x = Array(noise[start..<start + 512])
      let bands = Body.portable.bands(Body.portable.powers(x, window: analysisWindow))
      va_noise_floor_update(&floor, Body.portable.kernels, bands.db, Int32(usable), &result)
    }
    return result.map(Double.init)
  }

  /// Returns the level of white noise in each band: its share of the bins.
  func expected(rms: Double) -> [Double] {
    (0..<Self.bands).map { band in
      decibels(rms * rms * (bandEdges[band + 2] - bandEdges[band]) / 2 / 256)
    }
  }

  @Test(arguments: [1e-3, 1e-2, 1e-1])
  func steadyNoiseIsTheFloor(rms: Double) {
    var floor = va_noise_floor()
    va_noise_floor_init(&floor)
    let tracked = track(&floor, seconds: 4, rms: rms, seed: 10)
    let errors = zip(tracked, expected(rms: rms)).map { $0 - $1 }
    #expect(abs(errors.reduce(0, +) / Double(Self.bands)) < 1.5, "bias")
    #expect(errors.allSatisfy { abs($0) < 5 }, "\(errors)")
  }

  @Test func quieterNoiseIsFollowedAtOnce() {
    var floor = va_noise_floor()
    va_noise_floor_init(&floor)
    let before = track(&floor, seconds: 3, rms: 0.1, seed: 11)
    let after = track(&floor, seconds: 0.3, rms: 0.001, seed: 12)
    #expect(zip(before, after).allSatisfy { $0 - $1 > 30 })
  }

  @Test func louderNoiseIsFollowedWithinTwoSecondsAndNotBeforeOne() {
    var floor = va_noise_floor()
    va_noise_floor_init(&floor)
    let before = track(&floor, seconds: 3, rms: 0.001, seed: 13)
    let soon = track(&floor, seconds: 1, rms: 0.1, seed: 14)
    #expect(zip(before, soon).allSatisfy { abs($0 - $1) < 6 })
    let later = track(&floor, seconds: 1, rms: 0.1, seed: 15)
    #expect(zip(soon, later).allSatisfy { $1 - $0 > 30 })
  }

  /// A second of sound between silences does not lift the floor.
  @Test func aWordDoesNotLiftTheFloor() {
    var floor = va_noise_floor()
    va_noise_floor_init(&floor)
    let before = track(&floor, seconds: 3, rms: 0.001, seed: 16)
    _ = track(&floor, seconds: 1, rms: 0.1, seed: 17)
    let after = track(&floor, seconds: 0.5, rms: 0.001, seed: 18)
    #expect(zip(before, after).allSatisfy { abs($0 - $1) < 6 })
  }

  /// The definition in double precision, for levels that wander, fall silent and jump.
  @Test(arguments: Body.available)
  func isTheMinimumOfTheSmoothedLevels(of body: Body) {
    var generator = SeededGenerator(seed: 20)
    var floor = va_noise_floor()
    va_noise_floor_init(&floor)
    var smoothed: [Double] = []
    var history: [[Double]] = []
    var spanBegins = [0]
    var result = [Float](repeating: .nan, count: Self.bands)
    for step in 0..<500 {
      let base = [-40.0, -110, 5][step / 40 % 3]
      let levels = (0..<Self.bands).map { _ in Float(max(-110, base + 6 * generator.gaussian())) }
      if step == 0 { smoothed = levels.map(Double.init) }
      for band in levels.indices {
        smoothed[band] += 0.44 * (Double(levels[band]) - smoothed[band])
      }
      // The first span counts its first step; the later ones take 20 more.
      if step > 0 && (step - 20) % 21 == 0 { spanBegins.append(step) }
      history.append(smoothed)
      let begin = spanBegins.count < 4 ? 0 : spanBegins[spanBegins.count - 4]
      // A span begins with the level before it.
      let seen = history[max(0, begin - 1)...]
      va_noise_floor_update(&floor, body.kernels, levels, 40, &result)
      for band in levels.indices {
        let least = seen.map { $0[band] }.min()!
        #expect(abs(Double(result[band]) - least - 4.3) < 0.05, "step \(step), band \(band)")
      }
    }
  }

  @Test func sumsItsBands() {
    for usable in [1, 7, 40] {
      var floor = va_noise_floor()
      va_noise_floor_init(&floor)
      #expect(floor.power == 0)
      let tracked = track(&floor, seconds: 2, rms: 0.01, seed: 19, usable: usable)
      let sum = tracked.prefix(usable).reduce(0.0) { $0 + Double.pow(10, $1 / 10) }
      #expect(abs(decibels(Double(floor.power)) - decibels(sum)) < 1e-3)
    }
  }
}
