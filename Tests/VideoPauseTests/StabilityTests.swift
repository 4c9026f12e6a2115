import TestSupport
import Testing

@testable import VideoPause

/// Gates, the queue and probes.
@Suite struct StabilityTests {
  @Test func aGateMatchesTheListOfAllPausesAndResumes() {
    var random = SeededGenerator(seed: 21)
    var configuration = VideoPauseConfiguration()
    (configuration.gatePeriod, configuration.holdOff) = (.microseconds(60), .microseconds(25))
    let timing = Timing(configuration)
    for _ in 0..<2_000 {
      let limit = random.int(1...4)
      var gate = ResumeGate(resumeLimit: limit)
      var (resumes, pause, gaveWay): ([Int64], Int64?, Bool) = ([], nil, false)
      // What no shortage forced.
      var toggles: [Int64] = []
      var now: Int64 = 0
      for _ in 0..<60 {
        now += Int64(random.int(0...30))
        let time = Timestamp(microseconds: now)
        // The gate is shut while the maximum number of resumes lies less than a period in the past.
        let recent = resumes.filter { $0 + 60 > now }.suffix(limit)
        let shutUntil = recent.count < limit ? nil : recent.first! + 60
        let heldUntil = pause.flatMap { $0 + 25 > now ? $0 + 25 : nil }
        #expect(gate.isShut(at: time, timing) == (shutUntil != nil))
        #expect(gate.isHeld(at: time, timing) == (heldUntil != nil))
        let opens = [shutUntil, heldUntil].compactMap { $0 }.min()
        #expect(gate.opens(at: time, timing)?.microseconds == opens)
        #expect(
          gate.canReturn(at: time, timing) == (toggles.count { $0 + 60 > now } < 2 * limit))
        switch random.int(1...10) {
        case ...5:
          if gaveWay || shutUntil == nil { toggles.append(now) }
          resumes.append(now)
          gate.noteResume(at: time, timing)
        case ...8:
          (pause, gaveWay) = (now, random.chance(50))
          if gaveWay { toggles.append(now) }
          gate.notePause(at: time, givesWay: gaveWay)
        case 9:
          gate.forget()
          (resumes, pause, gaveWay, toggles) = ([], nil, false, [])
        default: break
        }
      }
    }
  }

  /// Returns a queue of `bits` after a shortage of `seconds` that as many estimates have shown.
  private func backlog(_ bits: Int, estimates: Int, seconds: Int) -> Backlog {
    var backlog = Backlog(.default)
    backlog.advance(to: .zero, sent: 0, available: 0)
    for _ in 0..<estimates { backlog.observe(essential: 2, available: 1, isEstimate: true) }
    backlog.advance(to: .seconds(Int64(seconds)), sent: bits / seconds, available: 0)
    return backlog
  }

  /// 1.5 s of the present rate in a dip; 6 s of the usual rate, 1 Mbit/s, in an outage; 7.5 s of it for the first
  /// stream.
  @Test func theQueueIsBorneUpToItsLimits() {
    for (bits, available, verdict) in [
      (449_999, 300_000, .borne), (450_000, 300_000, .full), (5_999_999, 199_999, .borne),
      (6_000_000, 199_999, .full), (7_499_999, 0, .full), (7_500_000, 0, .spent),
      (7_499_999, 300_000, .full), (7_500_000, 300_000, .spent), (7_500_000, 600_000, .borne),
    ] as [(Int, Int, Backlog.Verdict)] {
      let backlog = backlog(bits, estimates: 3, seconds: 1)
      #expect(
        backlog.verdict(essential: 600_000, available: available, usual: 1_000_000, first: 0)
          == verdict,
        "\(bits) bits, \(available) bit/s")
    }
  }

  /// The queue is far from its limit at the usual rate. A dip in between begins the time again.
  @Test func anOutageIsBorneForSixSeconds() {
    var backlog = Backlog(.default)
    func verdict(_ milliseconds: Int64, available: Int = 100_000) -> Backlog.Verdict {
      backlog.advance(to: .milliseconds(milliseconds), sent: 400_000, available: available)
      backlog.observe(essential: 400_000, available: available, isEstimate: true)
      return backlog.verdict(
        essential: 400_000, available: available, usual: 5_000_000, first: 100_000)
    }
    #expect([0, 1_000, 5_999].map { verdict($0) } == [.borne, .borne, .borne])
    #expect(verdict(6_000) == .full)
    #expect(verdict(30_000) == .full, "the first stays")
    backlog = Backlog(.default)
    #expect([0, 3_000].map { verdict($0) } == [.borne, .borne])
    _ = verdict(3_100, available: 399_999)
    #expect([3_200, 9_199].map { verdict($0) } == [.borne, .borne])
    #expect(verdict(9_200) == .full)
  }

  /// 7.5 s of its own rate, even if nothing is usual.
  @Test func theFirstStaysUntilItsOwnPictureHasFilledTheQueue() {
    for (bits, verdict) in [(1_124_999, .full), (1_125_000, .spent)] as [(Int, Backlog.Verdict)] {
      let backlog = backlog(bits, estimates: 3, seconds: 1)
      #expect(
        backlog.verdict(essential: 600_000, available: 0, usual: 0, first: 150_000) == verdict)
    }
  }

  @Test func oneBadSamplePausesNothing() {
    for (estimates, isCertain) in [(1, false), (2, false), (3, true)] {
      var backlog = backlog(9_000_000, estimates: estimates, seconds: 1)
      #expect(
        backlog.verdict(essential: 600_000, available: 0, usual: 0, first: 0) == .spent, "after 1 s"
      )
      backlog = Backlog(.default)
      backlog.advance(to: .zero, sent: 0, available: 0)
      for _ in 0..<estimates { backlog.observe(essential: 2, available: 1, isEstimate: true) }
      for (milliseconds, isLong) in [(199, false), (200, true), (999, true)] as [(Int64, Bool)] {
        backlog.advance(to: .milliseconds(milliseconds), sent: 9_000_000, available: 0)
        #expect(
          (backlog.verdict(essential: 600_000, available: 0, usual: 0, first: 0) == .spent)
            == (isLong && isCertain), "\(estimates) estimates in \(milliseconds) ms")
      }
    }
  }

  /// D5: it drains by what is available beyond what is sent, and only an empty queue ends a shortage.
  @Test func theQueueIsCarriedUntilItHasDrained() {
    var backlog = backlog(1_500_000, estimates: 3, seconds: 1)
    backlog.observe(essential: 100_000, available: 300_000, isEstimate: true)
    backlog.advance(to: .seconds(3), sent: 100_000, available: 300_000)
    #expect(backlog.bits == 1_100_000)
    #expect(backlog.verdict(essential: 400_000, available: 300_000, usual: 1, first: 0) == .full)
    backlog.advance(to: .seconds(9), sent: 100_000, available: 300_000)
    backlog.observe(essential: 100_000, available: 300_000, isEstimate: true)
    #expect(backlog.bits == 0)
    backlog.observe(essential: 400_000, available: 0, isEstimate: true)
    backlog.advance(to: .milliseconds(9_500), sent: 400_000, available: 0)
    #expect(backlog.verdict(essential: 400_000, available: 0, usual: 1, first: 0) == .borne)
  }

  /// Fractions of a second would be rounded each time.
  @Test func theQueueDoesNotDependOnTheNumberOfCalls() {
    var random = SeededGenerator(seed: 91)
    var (seldom, often) = (Backlog(.default), Backlog(.default))
    var now: Int64 = 0
    for _ in 0..<2_000 {
      let sent = random.int(0...3_000_000)
      let available = random.int(0...3_000_000)
      let next = now + Int64(random.int(1...400_000))
      while now < next {
        now = min(next, now + Int64(random.int(1...90_000)))
        often.advance(to: Timestamp(microseconds: now), sent: sent, available: available)
      }
      seldom.advance(to: Timestamp(microseconds: now), sent: sent, available: available)
      #expect(seldom.bits == often.bits)
    }
  }

  /// Clocks may begin anywhere: at their very beginning nothing has happened yet.
  @Test func aGateIsOpenAtTheBeginningOfAnyClock() {
    let timing = Timing(.default)
    for now in [Int64.min, .min + 1, 0, .max].map(Timestamp.init(microseconds:)) {
      var gate = ResumeGate(resumeLimit: 1)
      #expect(!gate.isShut(at: now, timing) && gate.canReturn(at: now, timing))
      gate.notePause(at: now, givesWay: false)
      gate.noteResume(at: now, timing)
      #expect(gate.isShut(at: now, timing) == (now.microseconds > .min))
    }
  }

  /// 0.75 s, then 1.125, 1.6875 … after each probe that had a second and was unsuccessful.
  @Test func probeIntervalsMatchAHandCalculation() {
    var schedule = ProbeSchedule(.default)
    /// Returns the goal when 100 kbit/s are sent, 50 are reserved, and a layer for 300 more is missing, of 900 in all.
    func goal(
      _ milliseconds: Int64, step: Int? = 300_000, sent: Int = 100_000, estimate: Int = 200_000
    ) -> [Int]? {
      schedule.goal(
        at: .milliseconds(milliseconds), cheapestStep: step, isPinnedPaused: false,
        ProbeSchedule.Rates(
          sent: sent, reserve: 50_000, wanted: 900_000, available: estimate - 50_000)
      ).map { [$0.bitrate, Int($0.notBefore.microseconds / 1_000)] }
    }
    #expect(goal(0) == [510_000, 750])
    #expect(goal(1_749) == [510_000, 750], "its result may yet come")
    #expect(schedule.nextPlan == .milliseconds(1_750))
    #expect(goal(1_750) == [510_000, 2_875])
    #expect(goal(3_875) == [510_000, 5_562])
    // A small step is raised to the minimum. More is sent than when the probe was planned, so the interval starts anew.
    #expect(goal(4_000, step: 10_000, sent: 100_001) == [350_001, 4_750])
    #expect(goal(4_400, sent: 100_002) == [510_002, 4_750], "a planned probe is not put off")
    #expect(goal(5_749, sent: 100_003) == [510_003, 4_750], "nor while its result may yet come")
    #expect(goal(5_750, sent: 100_004) == [510_004, 6_500])
    #expect(goal(5_760, step: nil) == nil)
    #expect(schedule.nextPlan == nil)
    // Half as much video again as fitted at that time, or at a worse one since, but no more than is wanted.
    #expect(goal(6_000, estimate: 650_000) == [950_000, 6_750])
    #expect(goal(6_100, estimate: 800_000) == [950_000, 6_750])
    #expect(goal(6_200, estimate: 450_000) == [650_000, 6_750], "a path that has become narrow")
    #expect(goal(6_300, estimate: 800_000) == [650_000, 6_750])
    #expect(goal(7_750, estimate: 650_000) == [950_000, 8_875])
  }

  /// After a success, 0.1 s later and to twice the estimate, until a probe finds nothing.
  @Test func aSuccessfulProbeIsFollowedAtOnce() {
    var schedule = ProbeSchedule(.default)
    func goal(_ milliseconds: Int64, estimate: Int) -> [Int]? {
      schedule.goal(
        at: .milliseconds(milliseconds), cheapestStep: 100_000, isPinnedPaused: false,
        ProbeSchedule.Rates(sent: 100_000, reserve: 0, wanted: 9_000_000, available: estimate)
      ).map { [$0.bitrate, Int($0.notBefore.microseconds / 1_000)] }
    }
    #expect(goal(0, estimate: 1_000_000) == [1_500_000, 750])
    #expect(goal(949, estimate: 1_400_000) == [1_500_000, 750], "too early to come from the probe")
    #expect(goal(1_300, estimate: 1_249_999) == [1_500_000, 750], "not half of 500 kbit/s more")
    #expect(goal(1_400, estimate: 1_250_000) == [2_500_000, 1_500], "a success")
    #expect(goal(1_700, estimate: 1_900_000) == [3_800_000, 1_800])
    #expect(goal(2_799, estimate: 1_900_000) == [3_800_000, 1_800])
    #expect(goal(2_800, estimate: 1_900_000) == [2_850_000, 3_925], "it found nothing")
  }

  /// A dip that ends before a probe is due is not taken for its success.
  @Test func anEstimateThatIsBackIsNoSuccess() {
    var schedule = ProbeSchedule(.default)
    func goal(_ milliseconds: Int64, estimate: Int) -> Int? {
      schedule.goal(
        at: .milliseconds(milliseconds), cheapestStep: 100_000, isPinnedPaused: false,
        ProbeSchedule.Rates(sent: 100_000, reserve: 0, wanted: 9_000_000, available: estimate)
      ).map { Int($0.notBefore.microseconds / 1_000) }
    }
    #expect(goal(0, estimate: 1_000_000) == 750)
    #expect(goal(300, estimate: 300_000) == 750)
    #expect(goal(700, estimate: 1_000_000) == 750)
    #expect(goal(1_000, estimate: 1_000_000) == 750)
    #expect(goal(1_750, estimate: 1_000_000) == 2_875, "the interval grows: nothing was found")
  }

  /// An estimate that creeps up lets more be sent again and again.
  @Test(arguments: [1.03, 1.08, 1.12])
  func probesComeInTimeWhileTheEstimateRises(_ factor: Double) throws {
    let layers = [(100, 7.5), (130, 15), (150, 30)].enumerated().flatMap { temporal, layer in
      (0..<3).map { spatial in
        VideoLayer(
          spatial: spatial, temporal: temporal, size: simulcast(1, 1, 1)[spatial].size,
          framesPerSecond: layer.1, bitrate: layer.0 * [1_000, 3_000, 9_000][spatial])
      }
    }
    var coordinator = try VideoPauseCoordinator(
      .default, streams: "abcdefghi".map { (camera(String($0)), layers) })
    var estimate = 300_000.0
    var (probes, last): ([Int64], ProbeGoal?) = ([], nil)
    for tick in 0..<200 as Range<Int64> {
      let now = Timestamp.milliseconds(100 * tick)
      try coordinator.step(Int(estimate), at: now)
      // As a host that looks only after a decision: a due goal is probed once.
      if let goal = coordinator.decision.probe, goal.notBefore <= now,
        goal.notBefore != last?.notBefore
      {
        probes.append(100 * tick)
        last = goal
      }
      estimate *= 1 + (factor - 1) / 10
    }
    #expect(probes.first ?? .max <= 1_000)
    let gaps = zip(probes, probes.dropFirst()).map { $1 - $0 }
    #expect(gaps.allSatisfy { $0 <= 6_000 }, "\(probes)")
    #expect(probes.count >= 5, "\(probes)")
  }

  /// A pin shortens the interval, even of a probe that is planned.
  @Test func probesAreNeverRarerThanTheLongestInterval() {
    var schedule = ProbeSchedule(.default)
    func next(_ seconds: Int64, isPinned: Bool = false) -> Int64 {
      let goal = schedule.goal(
        at: .seconds(seconds), cheapestStep: 1, isPinnedPaused: isPinned,
        ProbeSchedule.Rates(sent: 0, reserve: 0, wanted: 1, available: 0))
      return (goal?.notBefore.microseconds ?? 0) / 1_000_000 - seconds
    }
    var now: Int64 = 0
    var waits: [Int64] = []
    for _ in 0..<20 {
      waits.append(next(now))
      now += waits.last! + 2
    }
    #expect(waits.max() == 30 && waits.last == 30)
    #expect(zip(waits, waits.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(next(now) == 30)
    #expect(next(now, isPinned: true) == 10)
  }
}
