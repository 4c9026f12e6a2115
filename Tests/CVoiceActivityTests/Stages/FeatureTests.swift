import CVoiceActivity
import CVoiceActivityInternals
import RealModule
import TestSupport
import Testing

@Suite struct FeatureTests {
  /// Returns the loudness after levels in dBFS, one a step.
  func loudness(_ levels: [Double]) -> Double {
    var loudness = va_loudness()
    for level in levels { va_loudness_update(&loudness, Float(Double.pow(10, level / 10))) }
    return Double(loudness.db)
  }

  @Test func loudnessStartsAtTheFirstLevelRisesFastAndFallsSlowly() {
    #expect(abs(loudness([-40]) + 40) < 1e-3)
    let risen = loudness([-40] + [Double](repeating: -20, count: 5))
    #expect(abs(risen - (-20 - 20 * Double.pow(0.64, 5))) < 1e-3, "a fifth of the way in 10 ms")
    let fallen = loudness([-20] + [Double](repeating: -60, count: 50))
    #expect(abs(fallen + 25) < 1e-3, "5 dB in a second")
  }

  @Test(arguments: Body.available)
  func frameIsRelativeScaledAndLimited(of body: Body) {
    var generator = SeededGenerator(seed: 22)
    let bands = (0..<Int(VA_BANDS)).map { _ in Float.random(in: -110...10, using: &generator) }
    let floors = (0..<Int(VA_BANDS)).map { _ in Float.random(in: -110...(-20), using: &generator) }
    var frame = [Int16](repeating: .max, count: Int(VA_FRAME))
    body.kernels.pointee.frame(bands, floors, -30, &frame)
    for band in bands.indices {
      let relative = (Double(bands[band]) + 30 + 25) / 20
      let overFloor = (Double(bands[band]) - Double(floors[band]) - 8) / 12
      let (shape, rise) = (Double(frame[band]), Double(frame[bands.count + band]))
      #expect(abs(shape - min(max(relative, -2), 2) * Double(VA_FRAME_ONE)) < 0.51)
      #expect(abs(rise - min(max(overFloor, -1), 2.5) * Double(VA_FRAME_ONE)) < 0.51)
    }
  }

  @Test func pitchIsScaled() {
    var features = [Float](repeating: 0, count: 2)
    va_pitch_features(va_pitch(periodicity: 0.5, lag: 64), &features)
    #expect(abs(features[0] - 1) < 1e-6 && abs(features[1] - 0.25) < 1e-5)
  }
}
