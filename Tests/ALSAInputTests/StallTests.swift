import TestSupport
import Testing

@testable import ALSAInput

/// A device that runs, stands still for a while without reporting it, and then continues, with or without what it kept.
private struct StandingDevice {
  var rate = 48_000.0
  /// When it stands still, s.
  var stop = 3.0
  var length: Double
  /// How fast it shows what it kept, as a multiple of real time; 1 if it kept nothing.
  var catchUp = 1.0
  /// When it makes its first frame, s; it shows nothing before.
  var begin = 0.0
  /// The step of the counter in frames.
  var step: Int64 = 1

  /// Returns the counter `time` seconds after the start.
  func count(at time: Double) -> Int64 {
    var running = max(0, time - begin)
    if time > stop {
      let back = max(0, time - stop - length) * catchUp
      running = min(stop - begin + back, catchUp > 1 ? time - begin : .infinity)
    }
    return Int64(running * rate) / step * step
  }
}

/// A capture thread's view of the device: each gap with its position, and their sum.
private struct Listening {
  var gaps: [(position: Int64, length: Int64)] = []
  /// The most frames that waited in the device's buffer.
  var unread: Int64 = 0
  var position: Int64 = 0

  /// Looks when a period is there, and after the longest wait of a capture thread.
  ///
  /// - Parameter phase: When the first look is due, in periods.
  init(_ device: StandingDevice, until end: Double, phase: Double = 0) {
    let (rate, period) = (Int(device.rate), Int64(device.rate / 100))
    var clock = DeviceClock(
      sampleRate: rate, start: 0...1, periodFrames: Int(period), bufferFrames: rate / 5)
    let milliseconds = DeviceClock.longestWait(sampleRate: rate, periodFrames: Int(period))
    let longestWait = Double(milliseconds) / 1000
    var (lost, read, random) = (Int64(0), Int64(phase * Double(period)), SeededGenerator(seed: 9))
    var (now, lastLook) = (0.0, 0.0)
    while now < end {
      now += .random(in: 0.0005...0.0015, using: &random)
      let time = Int64(now * 1e9)
      let count = device.count(at: now)
      guard count - read >= period || now - lastLook >= longestWait else {
        continue
      }
      lastLook = now
      unread = max(unread, count - read)
      let reading = CounterReading(time: time, position: count + lost...count + lost)
      switch clock.note(reading, unread: max(0, count - read)) {
      case .undecided(let certain):
        read += certain
        continue
      case .whole: break
      case .missing:
        let missing = clock.missing(at: reading).lowerBound
        gaps.append((read + lost, missing))
        lost += missing
      }
      read = max(read, count)
    }
    position = read + lost
  }
}

/// The length of a stall is known when sound returns, and not before.
@Suite struct StallTests {
  /// The gap stands in front of the first new sound, however long the stall and in whatever part of a period it begins.
  @Test(arguments: Array(stride(from: 0.06, through: 0.6, by: 0.01)) + [1, 2, 4.5, 4.99, 30])
  func aStallIsAGapOfItsLength(length: Double) throws {
    for phase in stride(from: 0, to: 1, by: 0.125) {
      for step in [1, 48, 480] as [Int64] {
        let device = StandingDevice(length: length, step: step)
        let heard = Listening(device, until: length + 7, phase: phase)
        let gap = try #require(heard.gaps.first)
        #expect(heard.gaps.count == 1)
        #expect(abs(gap.position - 144_000) <= step, "phase \(phase)")
        #expect(abs(gap.length - Int64(length * 48_000)) <= step + 2)
        #expect(abs(heard.position - Int64((length + 7) * 48_000)) <= 2 * 480 + step)
      }
    }
  }

  /// Whether the device catches up at once or at twice, five or fifty times the speed, nothing is missing, and nothing
  /// is reported as missing.
  @Test(arguments: [0.06, 0.25, 1, 4.5], [2, 5, 50, 1e9])
  func aDeviceThatCatchesUpLosesNothing(length: Double, speed: Double) {
    let heard = Listening(StandingDevice(length: length, catchUp: speed), until: 20)
    #expect(heard.gaps.isEmpty, "\(heard.gaps)")
    #expect(abs(heard.position - 20 * 48_000) <= 480)
  }

  /// Until the verdict is clear, frames wait in the device's buffer, but never so many that it overruns.
  @Test(arguments: [1, 1.2, 2, 5]) func theBufferDoesNotOverrun(speed: Double) {
    let device = StandingDevice(length: 3, catchUp: speed)
    // 20 ms between two looks at five times the speed is half of the buffer.
    #expect(Listening(device, until: 15).unread < 48_000 / 5)
  }

  /// A sound server begins up to 2 s late: positions count from the first frame that it delivers.
  @Test(arguments: [0.1, 1.7, 4]) func aLateBeginningIsNoGap(begin: Double) {
    let device = StandingDevice(stop: 100, length: 0, begin: begin)
    let heard = Listening(device, until: 10)
    #expect(heard.gaps.isEmpty)
    #expect(abs(heard.position - Int64((10 - begin) * 48_000)) <= 480)
  }

  /// Frames that it leaves out afterwards are a gap.
  @Test(arguments: [0.1, 1.7]) func aStallAfterALateBeginningIsAGap(begin: Double) {
    let heard = Listening(StandingDevice(length: 2, begin: begin), until: 10)
    #expect(heard.gaps.count == 1)
    #expect(abs(heard.position - Int64((10 - begin) * 48_000)) <= 500)
  }

  /// A crystal, or a virtual machine, that is slow by up to 2 % makes fewer frames, but loses none.
  @Test(arguments: [-200, 200, 1000, 20_000]) func aSlowDeviceLosesNothing(ppm: Double) {
    let rate = 48_000.0
    var clock = DeviceClock(
      sampleRate: 48_000, start: 0...1, periodFrames: 480, bufferFrames: 9600)
    for index in 1...30_000 {
      let time = Int64(index) * 10_000_000
      let count = Int64(Double(index) / 100 * rate * (1 - ppm / 1e6))
      let verdict = clock.note(CounterReading(time: time, position: count...count), unread: 480)
      guard verdict == .whole else {
        Issue.record("\(verdict) after \(index) periods")
        return
      }
    }
  }

  /// No frame follows the stall, so the clock alone gives what is missing at the end.
  @Test func aStallAtTheEndIsAGap() {
    var clock = DeviceClock(
      sampleRate: 48_000, start: 0...1, periodFrames: 480, bufferFrames: 9600)
    #expect(clock.lacking(at: 5_000_000_000, from: 0) == 0, "it has not begun")
    for index in 1...100 {
      let count = Int64(index) * 480
      _ = clock.note(
        CounterReading(time: Int64(index) * 10_000_000, position: count...count), unread: 0)
    }
    #expect(clock.lacking(at: 1_040_000_000, from: 48_000) == 0, "a moment late")
    let lacking = clock.lacking(at: 5_000_000_000, from: 48_000)
    #expect(abs(lacking - 4 * 48_000) <= 1)
  }
}
