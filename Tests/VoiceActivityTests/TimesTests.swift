import AllocationCounter
import Glibc
import Testing

@testable import VoiceActivity

/// A closure that sleeps makes its call take at least that long, and no call takes longer than all of them together.
@Suite struct TimesTests {
  private static let packet = [Float](repeating: 0, count: 160)

  private func timed() throws -> VoiceActivityDetector {
    try VoiceActivityDetector(configuration: .init(), isTimed: true)
  }

  /// The oracle is division: a class extends from a multiple of a quarter of a power of two to the next.
  @Test func classesAreQuartersOfADoubling() {
    var places: Set<Int> = []
    for exponent in 8..<32 {
      for quarter in 0..<4 {
        let lowest = (4 + Int64(quarter)) << (exponent - 2)
        let next = (5 + Int64(quarter)) << (exponent - 2)
        let place = TimeClass(nanoseconds: lowest).place
        places.insert(place)
        #expect(TimeClass(nanoseconds: next - 1).place == place)
        #expect(TimeClass(place: place).middle == (lowest + next) / 2)
      }
    }
    #expect(places == Set(0..<TimeClass.count))
    for few: Int64 in [-1, 0, 1, 2, 3, 255, 256] { #expect(TimeClass(nanoseconds: few).place == 0) }
    for much in [Int64(1) << 32, .max] {
      #expect(TimeClass(nanoseconds: much).place == TimeClass.count - 1)
    }
  }

  @Test func oneCallInSeventeenIsTimed() throws {
    var detector = try timed()
    let integers = Self.packet.map { _ in Int16(0) }
    for _ in 0..<17 { detector.process(Self.packet.span) { _ in } }
    #expect(detector.control.times.count == 1)
    for _ in 0..<17 { detector.process(integers.span, onHop: { _ in }, onEvent: { _ in }) }
    #expect(detector.control.times.count == 2)
    detector.process([Float]().span) { _ in }
    #expect(detector.control.times.count == 2)
    detector.process(Self.packet.span) { _ in }
    #expect(detector.control.times.count == 3)
    detector.reset()
    #expect(detector.control.times.count == 3)
  }

  @Test func aCallTakesAsLongAsItTakes() throws {
    var detector = try timed()
    let clock = ContinuousClock()
    let whole = clock.measure {
      // Longer than the look-ahead, so that the call decides hops.
      let samples = [Float](repeating: 0, count: 1600)
      var isFirst = true
      detector.process(
        samples.span,
        onHop: { _ in
          if isFirst { usleep(20_000) }
          isFirst = false
        }, onEvent: { _ in })
    }
    let lengths = detector.control.times.lengths
    try #require(lengths.count == 1 && lengths[0].count == 1)
    #expect(lengths[0].length > .milliseconds(17) && lengths[0].length < whole * 1.13)
  }

  @Test func nothingIsTimedUnlessRequested() throws {
    var detector = try VoiceActivityDetector(configuration: .init())
    for _ in 0..<40 { detector.process(Self.packet.span) { _ in } }
    #expect(detector.control.times == VoiceActivityTimes())
    var restored = try VoiceActivityDetector(restoring: detector.saved().span, isTimed: true)
    restored.process(Self.packet.span) { _ in }
    #expect(restored.control.times.count == 1)
  }

  /// Two of three detectors are timed, and each counts a third.
  @Test func aBatchSharesItsTime() throws {
    var batch = VoiceActivityBatch()
    var (controls, streams) = ([VoiceActivityControl](), [VoiceActivityBatch.Stream]())
    for isTimed in [true, false, true] {
      let detector = try VoiceActivityDetector(configuration: .init(), isTimed: isTimed)
      controls.append(detector.control)
      streams.append(batch.add(detector))
    }
    let samples = [Float](repeating: 0, count: 1600)
    let whole = ContinuousClock().measure {
      for stream in streams { batch.append(samples.span, to: stream) }
      var isFirst = true
      batch.process(
        onHop: { _, _ in
          if isFirst { usleep(60_000) }
          isFirst = false
        }, onEvent: { _, _ in })
    }
    #expect(controls.map(\.times.count) == [1, 0, 1])
    for control in [controls[0], controls[2]] {
      let length = try #require(control.times.lengths.first).length
      #expect(length > .milliseconds(17) && length < whole / 3 * 1.13)
    }
  }

  @Test func timesAddUpAndGrow() {
    func times(_ counts: [Int: UInt64]) -> VoiceActivityTimes {
      VoiceActivityTimes(counts: (0..<TimeClass.count).map { counts[$0] ?? 0 })
    }
    var sum = VoiceActivityTimes()
    sum += VoiceActivityTimes()
    #expect(sum == VoiceActivityTimes() && sum.count == 0)
    sum += times([3: 5, 90: 1])
    sum += times([3: 2, 4: 1])
    sum += VoiceActivityTimes()
    #expect(sum == times([3: 7, 4: 1, 90: 1]) && sum.count == 9)
    #expect(sum.growth(since: VoiceActivityTimes()) == sum)
    #expect(sum.growth(since: times([3: 5, 90: 1])) == times([3: 2, 4: 1]))
    #expect(sum.growth(since: times([3: 9])) == times([4: 1, 90: 1]))
    #expect(sum.lengths.map(\.count) == [7, 1, 1])
  }

  @Test(.enabled(if: allocation_counter_works())) func timingAllocatesNothing() throws {
    var detector = try timed()
    let (control, packet) = (detector.control, Self.packet)
    let before = allocation_counter_here()
    for _ in 0..<100 { detector.process(packet.span) { _ in } }
    #expect(allocation_counter_here() == before)
    #expect(control.times.count == 6)
  }
}
