import TestSupport
import Testing

@testable import ALSAInput

/// A simulated device whose exact state is known.
private struct IdealDevice {
  /// The actual rate in frames per second, which may differ from the nominal rate.
  var rate: Double
  /// When frame 0 begins, ns.
  var start: Double
  /// The step of the counter in frames.
  var step: Int64 = 1

  func position(at time: Int64) -> Int64 {
    let frames = Int64(((Double(time) - start) * rate / 1e9).rounded(.down))
    return max(0, frames / step * step)
  }

  /// Returns a reading whose two looks at the counter are `before` and `after` ns away from the clock's reading.
  func reading(at time: Int64, before: Int64 = 0, after: Int64 = 0) -> CounterReading {
    CounterReading(time: time, position: position(at: time - before)...position(at: time + after))
  }
}

extension DeviceClock {
  /// Notes a reading when every frame that the counter shows has been read.
  fileprivate mutating func learn(_ reading: CounterReading) { _ = note(reading, unread: 0) }
}

@Suite struct DeviceClockTests {
  /// Returns a clock whose device was started at some time within a call.
  private func clock(_ device: IdealDevice, rate: Int, call: Int64 = 100_000) -> DeviceClock {
    let start = Int64(device.start)
    return DeviceClock(
      sampleRate: rate, start: start - call / 3...start + call, periodFrames: rate / 100,
      bufferFrames: rate / 5)
  }

  /// Whatever the phase of a device's frames, and however long the thread is delayed between two calls, the true
  /// position is within the clock's bounds.
  @Test(arguments: [8000, 11_025, 16_000, 44_100, 48_000, 192_000])
  func theTruePositionIsWithinTheBounds(rate: Int) {
    var random = SeededGenerator(seed: 1)
    for _ in 0..<200 {
      let device = IdealDevice(rate: Double(rate), start: .random(in: 0...1e9, using: &random))
      var time = Int64(device.start) + 1
      var clock = clock(device, rate: rate, call: .random(in: 10...10_000_000, using: &random))
      for _ in 0..<100 {
        time += .random(in: 1...20_000_000, using: &random)
        let before = Int64.random(in: 0...3_000_000, using: &random)
        let after = Int64.random(in: 0...3_000_000, using: &random)
        let reading = device.reading(at: time, before: before, after: after)
        #expect(clock.note(reading, unread: 0) == .whole)
        let later = time + .random(in: 0...1_000_000_000_000, using: &random)
        #expect(clock.position(at: later) ~= device.position(at: later))
      }
    }
  }

  /// After a second of periods the bounds are almost exact.
  @Test(arguments: [8000, 48_000, 192_000]) func theBoundsAreAlmostExactAfterASecond(rate: Int) {
    var random = SeededGenerator(seed: 2)
    var open: Int64 = 0
    for _ in 0..<100 {
      let device = IdealDevice(rate: Double(rate), start: .random(in: 0...1e6, using: &random))
      var time = Int64(device.start)
      var clock = clock(device, rate: rate)
      for _ in 0..<100 {
        time += 10_000_000 + .random(in: 0...100_000, using: &random)
        clock.learn(device.reading(at: time))
      }
      for _ in 0..<100 {
        time += .random(in: 0...1_000_000, using: &random)
        let said = clock.position(at: time)
        open += said.upperBound - said.lowerBound
      }
    }
    #expect(open <= 400, "of 10,000 answers")
  }

  /// For a crystal that is off and a counter that moves in steps, the answer is off by a step, and by the crystal's
  /// drift in two seconds and until the requested time.
  @Test(arguments: [-200.0, -20, 20, 200], [1, 16, 48] as [Int64])
  func driftAndStepsAreFollowed(ppm: Double, step: Int64) {
    var random = SeededGenerator(seed: 3)
    let device = IdealDevice(rate: 48_000 * (1 + ppm / 1e6), start: 12_345.6, step: step)
    let second: Int64 = 1_000_000_000
    let tolerance = step + 2 + Int64(3 * 48_000 * abs(ppm) / 1e6)
    var time: Int64 = 20_000
    var clock = clock(device, rate: 48_000)
    for _ in 0..<60_000 {  // ten minutes
      time += 10_000_000 + .random(in: 0...300_000, using: &random)
      clock.learn(device.reading(at: time))
      let (said, right) = (clock.position(at: time + second), device.position(at: time + second))
      #expect(said.lowerBound >= right - tolerance && said.upperBound <= right + tolerance)
    }
  }

  /// A device that shows nothing for half a second, or that starts to count late, or that stands still for a minute, is
  /// not a slow one.
  @Test(arguments: [0.5, 0.9, 60]) func aDeviceThatStandsStillIsNotSlow(seconds: Double) {
    let device = IdealDevice(rate: 16_000, start: 0)
    var clock = clock(device, rate: 16_000)
    var time: Int64 = 0
    func later() -> Int64 {
      time += 10_007_000
      return time
    }
    for _ in 0..<100 { clock.learn(device.reading(at: later())) }
    let stood = device.reading(at: time).position
    for _ in 0..<Int(seconds * 100) { clock.learn(CounterReading(time: later(), position: stood)) }
    #expect(clock.position(at: time + 5) ~= device.position(at: time + 5))
    #expect(clock.position(at: time + 5).count <= 2)
  }

  /// A device that lags permanently is accepted as late after a second.
  @Test func aDeviceThatLagsIsAcceptedAfterASecond() {
    let device = IdealDevice(rate: 16_000, start: 0)
    var clock = clock(device, rate: 16_000)
    for time in stride(from: Int64(3_000_007_000), to: 4_100_000_000, by: 10_007_000) {
      // Two seconds late, as a sound server can be.
      let position = device.position(at: time) - 32_000
      clock.learn(CounterReading(time: time, position: position...position))
    }
    let time: Int64 = 4_200_000_000
    #expect(abs(clock.position(at: time).lowerBound - (device.position(at: time) - 32_000)) <= 1)
  }

  /// When a device counts from 0 again, the missing frames are the difference of two clocks, never a guess.
  @Test func missingFramesAreTheDifferenceOfTwoClocks() {
    let device = IdealDevice(rate: 16_000, start: 0)
    var clock = clock(device, rate: 16_000)
    for time in stride(from: Int64(10_007_000), to: 1_000_000_000, by: 10_007_000) {
      clock.learn(device.reading(at: time))
    }
    // 16,000 frames were read; the device stood still for 0.25 s and has made 40 frames since.
    let time: Int64 = 1_000_000_000 + 250_000_000 + 2_500_000 + 30_000
    let missing = clock.missing(at: CounterReading(time: time, position: 16_040...16_040))
    #expect(missing == 4000...4000)
    #expect(clock.missing(at: CounterReading(time: time, position: 16_040...16_041)) == 3999...4000)
  }

  @Test func positionsAreExactAfterAYear() {
    let clock = DeviceClock(
      sampleRate: 192_000, start: 5...5, periodFrames: 1920, bufferFrames: 38_400)
    let year: Int64 = 31_536_000
    let said = clock.position(at: year * 1_000_000_000 + 5)
    #expect(said.lowerBound >= year * 192_000 - 1 && said.upperBound <= year * 192_000 + 1)
  }
}
