import TestSupport
import Testing

@testable import VideoPause

/// Gates, the hold-off and probes.
@Suite struct StabilityTests {
  @Test func aGateMatchesTheListOfAllResumes() {
    var random = SeededGenerator(seed: 21)
    for _ in 0..<2_000 {
      let limit = random.int(1...4)
      var gate = ResumeGate(resumeLimit: limit)
      var resumes: [Int64] = []
      var now: Int64 = 0
      for _ in 0..<60 {
        now += Int64(random.int(0...30))
        // The gate is shut while the maximum number of resumes lies less than a period in the past.
        let recent = resumes.filter { $0 + 60 > now }.suffix(limit)
        let expected = recent.count < limit ? nil : recent.first! + 60
        let shut = gate.shutUntil(at: Timestamp(microseconds: now), period: 60)
        #expect(shut?.microseconds == expected)
        switch random.int(1...10) {
        case ...8:
          resumes.append(now)
          gate.noteResume(at: Timestamp(microseconds: now))
        case 9:
          gate.forgetResumes()
          resumes = []
        default: break
        }
      }
    }
  }

  @Test func theHoldOffDoublesOnlyWhenAPauseUndoesAResume() {
    let timing = Timing(.default)
    var holdOff = HoldOff()
    func length(_ now: Int64) -> Duration {
      holdOff.paused(at: .seconds(now), timing)
      return Timestamp.seconds(now).duration(to: holdOff.ends!)
    }
    #expect(!holdOff.isClosed(at: .zero))
    #expect(length(0) == .seconds(4))
    #expect(length(1) == .seconds(4), "a drop in two steps")
    #expect(holdOff.doubt(at: .seconds(2), timing) == 0)
    for (now, expected) in [(10, 8), (30, 16), (60, 32), (100, 32)] as [(Int64, Int64)] {
      holdOff.resumed(at: .seconds(now - 1))
      #expect(length(now) == .seconds(expected))
      #expect(holdOff.doubt(at: .seconds(now), timing) == (expected - 4) * 1_000_000)
      let end = Timestamp.seconds(now + expected)
      #expect(holdOff.isClosed(at: end.advanced(byMicroseconds: -1)) && !holdOff.isClosed(at: end))
    }
    // The hold-off ended at 132 s; the doubt ends a minute later.
    #expect(holdOff.doubt(at: .milliseconds(191_999), timing) == 28_000_000)
    #expect(holdOff.doubt(at: .seconds(192), timing) == 0)
    holdOff.resumed(at: .seconds(140))
    #expect(length(300) == .seconds(4), "long ago")
  }

  @Test func aResumeIsUndoneByOnePauseWithinAGatePeriod() {
    let timing = Timing(.default)
    for (pause, expected) in [(59, 8), (60, 4)] as [(Int64, Int64)] {
      var holdOff = HoldOff()
      holdOff.paused(at: .zero, timing)
      holdOff.resumed(at: .seconds(5))
      holdOff.paused(at: .seconds(5 + pause), timing)
      #expect(holdOff.ends == .seconds(5 + pause + expected))
      holdOff.paused(at: .seconds(6 + pause), timing)
      #expect(holdOff.ends == .seconds(6 + pause + expected))
    }
  }

  /// 3 s, then 4.5, 6.75 … after each probe that had a second and was unsuccessful.
  @Test func probeIntervalsMatchAHandCalculation() {
    var schedule = ProbeSchedule(.default)
    /// Returns the goal when 100 kbit/s are sent, 50 are reserved, and a layer for 300 more is missing.
    func goal(_ milliseconds: Int64, step: Int? = 300_000, sent: Int = 100_000) -> [Int]? {
      schedule.goal(
        at: .milliseconds(milliseconds), cheapestStep: step, isPinnedPaused: false, sent: sent,
        reserve: 50_000
      ).map { [$0.bitrate, Int($0.notBefore.microseconds / 1_000)] }
    }
    #expect(goal(0) == [510_000, 3_000])
    #expect(goal(3_999) == [510_000, 3_000], "its result may yet come")
    #expect(schedule.nextPlan == .milliseconds(4_000))
    #expect(goal(4_000) == [510_000, 8_500])
    #expect(goal(9_500) == [510_000, 16_250])
    // A small step is raised to the minimum. More is sent than when the probe was planned, so the interval starts anew.
    #expect(goal(10_000, step: 10_000, sent: 100_001) == [350_001, 13_000])
    #expect(goal(10_500, step: nil) == nil)
    #expect(schedule.nextPlan == nil)
    #expect(goal(11_000) == [510_000, 14_000])
  }

  /// A pin shortens the interval, even of a probe that is planned.
  @Test func probesAreNeverRarerThanTheLongestInterval() {
    var schedule = ProbeSchedule(.default)
    func next(_ seconds: Int64, isPinned: Bool = false) -> Int64 {
      let goal = schedule.goal(
        at: .seconds(seconds), cheapestStep: 1, isPinnedPaused: isPinned, sent: 0, reserve: 0)
      return (goal?.notBefore.microseconds ?? 0) / 1_000_000 - seconds
    }
    var now: Int64 = 0
    var waits: [Int64] = []
    for _ in 0..<20 {
      waits.append(next(now))
      now += waits.last! + 2
    }
    #expect(waits.max() == 120 && waits.last == 120)
    #expect(zip(waits, waits.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(next(now) == 120)
    #expect(next(now, isPinned: true) == 30)
  }
}
