import TestSupport
import Testing

@testable import VoiceActivity
@testable import VoiceMonitor

private let second: Int64 = 1_000_000_000

/// The wall clock and the positions, with simulated clocks.
@Suite struct ClockWatchTests {
  /// A computer whose clocks the test controls.
  private struct Computer {
    var reading = ClockReading(
      monotonic: 17 * second, boot: 23 * second, wall: 1_700_000_000 * second)

    mutating func run(_ time: Int64) {
      reading.monotonic += time
      reading.boot += time
      reading.wall += time
    }

    mutating func sleep(_ time: Int64) {
      reading.boot += time
      reading.wall += time
    }

    mutating func setClock(_ time: Int64) { reading.wall += time }
  }

  @Test func anOrdinaryClockIsNotReported() {
    var computer = Computer()
    var watch = ClockWatch(computer.reading)
    for _ in 0..<100_000 {
      computer.run(second)
      #expect(watch.look(computer.reading) == nil)
    }
  }

  @Test(arguments: [second / 10, second, 3600 * second, 40 * 86_400 * second])
  func sleepIsReported(length: Int64) {
    var computer = Computer()
    var watch = ClockWatch(computer.reading)
    computer.run(5 * second)
    computer.sleep(length)
    computer.run(second)
    let shift = ClockShift(wallClock: .nanoseconds(length), asleep: .nanoseconds(length))
    #expect(watch.look(computer.reading) == shift)
    #expect(watch.look(computer.reading) == nil, "reported once")
  }

  @Test(arguments: [-3600, -1, 1, 86_400] as [Int64]) func aSetClockIsReported(seconds: Int64) {
    var computer = Computer()
    var watch = ClockWatch(computer.reading)
    computer.run(5 * second)
    computer.setClock(seconds * second)
    #expect(watch.look(computer.reading) == ClockShift(wallClock: .seconds(seconds), asleep: .zero))
    computer.run(second)
    #expect(watch.look(computer.reading) == nil)
  }

  /// The clocks of a reading are read one after the other: that is no sleep.
  @Test(arguments: [-3600, 3600] as [Int64], [1, 999_999] as [Int64])
  func aSetClockIsNoSleep(seconds: Int64, later: Int64) {
    var computer = Computer()
    var watch = ClockWatch(computer.reading)
    computer.setClock(seconds * second)
    computer.reading.boot += later
    #expect(watch.look(computer.reading) == ClockShift(wallClock: .seconds(seconds), asleep: .zero))
  }

  /// The clock of a sleeping computer ran slow and is set when it wakes. Neither shift hides the other.
  @Test func sleepAndASetClockAreBothReported() {
    var computer = Computer()
    var watch = ClockWatch(computer.reading)
    computer.sleep(10 * second)
    computer.setClock(-10 * second)
    #expect(watch.look(computer.reading) == ClockShift(wallClock: .zero, asleep: .seconds(10)))
  }

  /// Whatever happens, the reports add up to what happened, within the tolerance.
  @Test(arguments: 1...8 as ClosedRange<UInt64>) func reportsAddUpToWhatHappened(seed: UInt64) {
    var (random, computer) = (SeededGenerator(seed: seed), Computer())
    var watch = ClockWatch(computer.reading)
    var (wall, slept) = (Int64(0), Int64(0))
    var sum = ClockShift(wallClock: .zero, asleep: .zero)
    for _ in 0..<2000 {
      computer.run(.random(in: 0...second, using: &random))
      if Int.random(in: 0..<10, using: &random) == 0 {
        let time = Int64.random(in: 0...100 * second, using: &random)
        computer.sleep(time)
        (wall, slept) = (wall + time, slept + time)
      }
      let slew = Int64.random(in: -500_000...2_000_000, using: &random)
      computer.setClock(slew)
      wall += slew
      guard let shift = watch.look(computer.reading) else { continue }
      sum.wallClock += shift.wallClock
      sum.asleep += shift.asleep
    }
    #expect(abs((sum.wallClock - .nanoseconds(wall)) / .nanoseconds(1)) < 1e8)
    #expect(abs((sum.asleep - .nanoseconds(slept)) / .nanoseconds(1)) < 1e8)
  }

  /// This computer's clocks can be read as one.
  @Test func theClocksOfThisComputerCanBeRead() throws {
    let reading = try #require(ClockReading.now)
    #expect(reading.boot >= reading.monotonic && reading.wall > 1_700_000_000 * second)
  }
}
