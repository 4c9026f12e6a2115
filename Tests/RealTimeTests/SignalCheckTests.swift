import Foundation
import RealTime
import TestSupport
import Testing

/// The check for channels that cancel and for floats beyond full scale. Signals are noise, whose power is known.
@Suite struct SignalCheckTests {
  private let rate = 16_000

  /// Returns noise of a level in dBFS (RMS).
  private func noise(_ level: Double, seconds: Double = 3, seed: UInt64 = 1) -> [Float] {
    var random = SeededGenerator(seed: seed)
    let amplitude = Float(pow(10, level / 20) * 3.0.squareRoot())
    return (0..<Int(seconds * Double(rate))).map { _ in
      Float.random(in: -amplitude...amplitude, using: &random)
    }
  }

  private func silence(_ seconds: Double = 3) -> [Float] {
    Array(repeating: 0, count: Int(seconds * Double(rate)))
  }

  private func faults(
    _ channels: [[Float]], _ selection: ChannelSelection = .mix, hasFloats: Bool = false,
    chunk: () -> Int = { 4096 }
  ) -> [SignalCheck.Fault] {
    let check = SignalCheck(
      selection, channelCount: channels.count, sampleRate: rate, hasFloats: hasFloats)
    var start = 0
    while start < channels[0].count {
      let end = min(channels[0].count, start + chunk())
      let frames = (start..<end).flatMap { frame in channels.map { $0[frame] } }
      check?.look(frames.span)
      start = end
    }
    check?.finish()
    return check?.faults ?? []
  }

  /// Returns whether the mean of some whole second with sound is more than 12 dB below the loudest channel, from all
  /// samples.
  private func isCancelled(_ channels: [[Float]]) -> Bool {
    let windows = stride(from: 0, through: channels[0].count - rate, by: rate)
    return windows.contains { start in
      let window = start..<start + rate
      let mean = window.map { frame in
        channels.reduce(0) { $0 + Double($1[frame]) } / Double(channels.count)
      }
      let loudest = channels.map { power($0[window].map(Double.init)) }.max() ?? 0
      return loudest > 1e-7 && power(mean) < loudest / pow(10, 1.2)
    }
  }

  private func power(_ samples: [Double]) -> Double {
    samples.reduce(0) { $0 + $1 * $1 } / Double(samples.count)
  }

  @Test func aChannelAndItsInverseCancel() {
    let left = noise(-30)
    #expect(
      faults([left, left.map { -$0 }])
        == [.cancelled(channels: 2, seconds: 3, of: 3, decibels: .infinity)])
  }

  /// Whether two channels share a voice, part of one or nothing, with every loss around the limit.
  @Test func onlyMoreThanTwelveDecibelsCount() {
    let left = noise(-30)
    for loss in stride(from: 6.0, through: 20, by: 1) where loss != 12 {
      // The mean of x and −a·x is (1−a)/2·x.
      let inverse = Float(1 - 2 * pow(10, -loss / 20))
      let channels = [left, left.map { -inverse * $0 }]
      #expect(isCancelled(channels) == (loss > 12))
      #expect(faults(channels).isEmpty == (loss < 12), "\(loss) dB")
    }
  }

  @Test func ordinaryChannelsDoNotCancel() {
    let (voice, other) = (noise(-20), noise(-20, seed: 2))
    let room = noise(-55, seed: 3)
    let wide = zip(voice, other).map { $0 + $1 }
    let side = zip(voice, other).map { $0 - $1 }
    for channels in [
      [voice, voice], [voice, other], [voice, silence()], [silence(), voice], [voice, room],
      [wide, side], [silence(), silence()], [voice, silence(), silence()],
    ] {
      #expect(!isCancelled(channels))
      #expect(faults(channels).isEmpty)
    }
  }

  /// A lone voice among many silent channels is as far below as one that cancels.
  @Test func aVoiceAmongSevenSilentChannelsIsLost() throws {
    let channels = [noise(-20)] + Array(repeating: silence(), count: 7)
    #expect(isCancelled(channels))
    guard case .cancelled(8, 3, 3, let decibels)? = faults(channels).first else {
      Issue.record("not lost: \(faults(channels))")
      return
    }
    #expect(abs(decibels - 18.06) < 0.01)
  }

  /// One second of three, in the middle of the recording.
  @Test func aSecondIsEnough() {
    let left = noise(-30)
    let right = left.enumerated().map { index, sample in
      (16_000..<32_000).contains(index) ? -sample : sample
    }
    #expect(
      faults([left, right]) == [.cancelled(channels: 2, seconds: 1, of: 3, decibels: .infinity)])
  }

  @Test func offsetsAreNoSound() {
    let steady = silence().map { _ in Float(0.02) }
    #expect(faults([steady, steady.map { -$0 }]).isEmpty)
    let voice = noise(-30)
    #expect(faults([voice.map { $0 + 0.2 }, voice.map { $0 - 0.2 }]).isEmpty)
  }

  /// Hum and hiss in counter-phase are quieter than what counts as sound, unless nothing remains.
  @Test func faintSoundCountsOnlyWhereNothingRemains() {
    let hum = noise(-76)
    let almost = hum.map { -0.95 * $0 }
    #expect(faults([hum, almost]).isEmpty)
    #expect(!faults([hum, hum.map { -$0 }]).isEmpty)
    let leastBits = noise(-95)
    #expect(faults([leastBits, leastBits.map { -$0 }]).isEmpty)
  }

  @Test func whatIsFoundDoesNotDependOnHowTheInputIsCut() {
    let left = noise(-30)
    let right = left.map { -0.8 * $0 }
    let atOnce = faults([left, right]) { 48_000 }
    #expect(!atOnce.isEmpty)
    var random = SeededGenerator(seed: 5)
    for limit in [5000, 100, 7] {
      let cut = faults([left, right]) { Int.random(in: 1...limit, using: &random) }
      guard case .cancelled(2, 3, 3, let a)? = atOnce.first,
        case .cancelled(2, 3, 3, let b)? = cut.first
      else {
        Issue.record("\(atOnce) \(cut)")
        return
      }
      #expect(abs(a - b) < 0.001)
    }
  }

  @Test(arguments: [(0.05, 0), (0.3, 1), (1.5, 1)])
  func aShortRecordingIsOneWindow(seconds: Double, count: Int) {
    let left = noise(-30, seconds: seconds)
    let found = faults([left, left.map { -$0 }])
    #expect(found.count == count)
    if count > 0 {
      #expect(found == [.cancelled(channels: 2, seconds: 1, of: 1, decibels: .infinity)])
    }
  }

  @Test func onlyAMixCancels() {
    let left = noise(-30)
    let right = left.map { -$0 }
    for selection in [ChannelSelection.each, .any, .channel(1)] {
      #expect(faults([left, right], selection).isEmpty)
      #expect(faults([left, right], selection, hasFloats: true).isEmpty)
    }
    #expect(SignalCheck(.mix, channelCount: 1, sampleRate: 8000, hasFloats: false) == nil)
  }

  @Test func theNewestSecondSaysWhetherTheyCancel() throws {
    let check = try #require(
      SignalCheck(.mix, channelCount: 2, sampleRate: rate, hasFloats: false))
    let left = noise(-30, seconds: 1)
    let (inverse, equal) = (left.flatMap { [$0, -$0] }, left.flatMap { [$0, $0] })
    #expect(!check.cancels)
    check.look(inverse.span)
    #expect(check.cancels)
    check.look(Array(repeating: Float(0), count: 32_000).span)
    #expect(check.cancels)
    check.look(equal.span)
    #expect(!check.cancels)
  }

  // MARK: Floats

  /// The mean of the peaks of seconds with sound, of which silence is none.
  @Test func floatsFarBeyondFullScaleAreFound() throws {
    let loud = noise(-30).map { $0 * 32_768 }
    for channels in [[loud + silence()], [loud, loud]] {
      guard case .beyondFullScale(let peak, let highest)? = faults(channels, hasFloats: true).first
      else {
        Issue.record("not found")
        return
      }
      let loudest = try #require(loud.map(\.magnitude).max())
      #expect(peak > 0.9 * loudest && peak <= highest && highest <= loudest)
    }
    #expect(faults([loud]).isEmpty)
  }

  /// A click is far beyond, and the mean of ten seconds' peaks is not.
  @Test func aFewPeaksBeyondFullScaleAreNoFault() {
    var samples = noise(-10, seconds: 10)
    for index in 0..<4000 { samples[index] *= 20 }
    #expect(faults([samples], hasFloats: true).isEmpty)
    #expect(faults([noise(0)], hasFloats: true).isEmpty)
  }

  @Test func whatIsNoNumberHasNoLevel() {
    var samples = noise(-30)
    samples[0] = .nan
    samples[16_000] = .infinity
    samples[32_000] = -.infinity
    #expect(faults([samples, samples.map { -$0 }], hasFloats: true).isEmpty)
  }
}
