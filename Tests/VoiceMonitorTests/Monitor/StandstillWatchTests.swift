import Testing

@testable import VoiceMonitor

private let second: Int64 = 1_000_000_000

/// A process that stands still, with simulated looks.
@Suite struct StandstillWatchTests {
  @Test(arguments: [0, 99_999_999] as [Int64]) func looksInTimeExcuseNothing(late: Int64) {
    var watch = StandstillWatch(grace: second)
    var now = 5 * second
    for _ in 0..<1000 {
      watch.looked(at: now)
      #expect(watch.excused(now) == now)
      watch.willLook(at: now + second)
      now += second + late
    }
  }

  /// SIGSTOP for 10 s: the source was due during it, and has its grace after it, once.
  @Test func aStandstillGivesASourceItsGrace() {
    var watch = StandstillWatch(grace: second / 2)
    watch.looked(at: 0)
    watch.willLook(at: second)
    watch.looked(at: 11 * second)
    #expect(watch.excused(second) == 11 * second + second / 2)
    #expect(watch.excused(12 * second) == 12 * second, "what is due later is not excused")
    watch.willLook(at: 12 * second)
    watch.looked(at: 12 * second)
    #expect(watch.excused(13 * second) == 13 * second)
    #expect(watch.excused(second) < 12 * second, "it is overdue in the end")
  }

  /// A delivery wakes the thread before the look is due.
  @Test func anEarlyLookIsNotLate() {
    var watch = StandstillWatch(grace: second)
    watch.looked(at: 0)
    watch.willLook(at: 10 * second)
    watch.looked(at: second)
    #expect(watch.excused(second) == second)
  }
}
