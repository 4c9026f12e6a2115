import TestSupport
import Testing

@testable import VideoPause

/// The available rate in each tenth of a window of 5 s. The last part is the present one, of which some time has
/// passed.
private struct History {
  private var changes: [(at: Int64, value: Int)] = []

  /// Adds a value. The first one is assumed to have held forever.
  mutating func add(_ value: Int, at time: Int64) {
    changes.append((changes.isEmpty ? -1_000_000_000_000 : time, value))
  }

  /// Returns the mean and the minimum between two moments, including the value that holds at the start.
  func part(_ begin: Int64, _ end: Int64) -> (mean: Double, least: Int) {
    let first = changes.lastIndex { $0.at <= begin } ?? 0
    let inside = changes[first...].prefix { $0.at <= end }
    var sum = 0.0
    for (place, change) in inside.enumerated() {
      let next = place + 1 < inside.count ? inside[inside.startIndex + place + 1].at : end
      sum += Double(max(0, next - max(begin, change.at))) * Double(change.value)
    }
    return (end > begin ? sum / Double(end - begin) : 0, inside.map(\.value).min() ?? 0)
  }
}

@Suite struct BudgetTests {
  /// Returns whether sending at `rate` during all parts is believed to be a shortfall at the end of one, by simulating
  /// the queue step by step.
  private func isTooMuch(
    _ rate: Double, _ parts: [(mean: Double, least: Int, seconds: Double)]
  ) -> Bool {
    var queue = 0.0
    for part in parts {
      if rate * 0.7 > Double(part.least) { return true }
      guard part.seconds > 0 else { continue }
      queue = max(0, queue + (rate - part.mean) * part.seconds)
      if queue > 0.25 * part.mean { return true }
    }
    return false
  }

  /// Evidence is the highest rate at which no shortfall would have been believed.
  @Test func evidenceMatchesAQueueFilledStepByStep() {
    var random = SeededGenerator(seed: 3)
    var compared = 0
    for run in 0..<200 {
      var window = EvidenceWindow(.default)
      var history = History()
      var now: Int64 = -20_000_000
      let mean = random.int(1...2_000_000)
      for step in 0..<150 {
        now += Int64(random.int(0...(random.chance(3) ? 3_000_000 : 400_000)))
        let value = Int(Double(mean) * max(0, 1 + 0.3 * random.normal()))
        window.record(value, at: Timestamp(microseconds: now))
        history.add(value, at: now)
        guard step > 80, (step + run) % 7 == 0 else { continue }
        let more = random.pick([0, 4, 12, 28])
        now += Int64(random.int(0...300_000))
        let carried = Double(
          window.carried(at: Timestamp(microseconds: now), more: Int64(more) * 1_000_000))
        let present = Int64((Double(now) / 500_000).rounded(.down)) * 500_000
        let parts = (0...(10 + 2 * more)).reversed().map { back in
          let begin = present - Int64(back) * 500_000
          let end = back == 0 ? now : begin + 500_000
          let part = history.part(begin, end)
          return (part.mean, part.least, Double(end - begin) / 1e6)
        }
        #expect(!isTooMuch(carried * 0.999_99 - 2, parts), "\(carried)")
        #expect(isTooMuch(carried * 1.000_01 + 2, parts), "\(carried)")
        compared += 1
      }
    }
    #expect(compared > 1_000)
  }

  /// A queue of 250 ms in 5 s. The evidence never exceeds what a path can carry.
  @Test func aSteadyEstimateIsEvidenceForFivePercentMore() {
    var window = EvidenceWindow(.default)
    window.record(1_000_000, at: .zero)
    #expect(window.carried(at: .zero) == 1_050_000)
    #expect(window.carried(at: .milliseconds(250)) == Int(1_000_000 * 5.5 / 5.25))
    #expect(!window.isSettling())
    window.record(VideoPauseLimits.maximumBitrate, at: .seconds(1))
    #expect(window.isSettling())
    #expect(window.carried(at: .seconds(100)) == VideoPauseLimits.maximumBitrate)
    #expect(!window.isSettling())
  }

  @Test func stepsDownCountAtOnceAndStepsUpAfterTheWindow() {
    var window = EvidenceWindow(.default)
    window.record(400_000, at: .zero)
    window.record(3_000_000, at: .seconds(10))
    // An emergency for any rate above 400 / 0.7 kbit/s.
    #expect(window.carried(at: .milliseconds(14_999)) <= 571_429)
    #expect(window.carried(at: .milliseconds(15_500)) > 2_900_000)
    #expect(window.carried(at: .milliseconds(15_500), more: 4_000_000) <= 571_429)
    window.record(300_000, at: .seconds(16))
    #expect(window.carried(at: .seconds(16)) == 428_571)
  }

  /// Without a window, the latest value is the evidence.
  @Test func aMomentarySpikeIsNoEvidence() {
    var window = EvidenceWindow(.default)
    window.record(400_000, at: .zero)
    window.record(90_000_000, at: .seconds(20))
    window.record(400_000, at: .milliseconds(20_200))
    #expect(window.carried(at: .seconds(21)) <= 571_429)
    var none = EvidenceWindow(.pure)
    none.record(7, at: .zero)
    none.record(9, at: .seconds(1))
    #expect(none.carried(at: .seconds(9)) == 9)
    #expect(!none.isSettling())
  }

  @Test func extremeTimesAndLongSilencesAreHandled() {
    for start in [Timestamp(microseconds: .min), Timestamp(microseconds: .max - 3)] {
      var window = EvidenceWindow(.default)
      window.record(5_000_000, at: start)
      window.record(5_000_000, at: start.advanced(by: .microseconds(1)))
      #expect((5_000_000...5_250_000).contains(window.carried(at: start.advanced(by: .seconds(1)))))
      #expect(
        (5_000_000...5_250_000).contains(window.carried(at: Timestamp(microseconds: .max))))
    }
  }

  @Test func afterForgettingTheNextValueIsTheEvidence() {
    var window = EvidenceWindow(.default)
    window.record(1_000, at: .zero)
    window.forget()
    window.record(1_000_000, at: .milliseconds(1))
    #expect(window.carried(at: .milliseconds(1)) >= 1_000_000)
  }

  /// It is the larger of the expected and the measured rate, plus a fifth.
  @Test func theAudioReserveMatchesAHandCalculation() {
    var reserve = AudioReserve(.default)
    #expect(reserve.bitrate == 0)
    for (count, measured, bitrate) in [
      (1, 0, 57_600), (2, 96_000, 115_200), (2, 96_001, 115_202), (4, 1, 172_800), (0, 1, 2),
    ] {
      reserve.set(streamCount: count, measured: measured)
      #expect(reserve.bitrate == bitrate)
    }
    reserve.set(streamCount: 1, measured: nil)
    #expect(reserve.bitrate == 57_600, "what was measured before is over")
  }

  /// The queue drains, but never below zero.
  @Test func theQueueMatchesAHandCalculation() {
    var shortfall = Shortfall(.default)
    func isBelieved(_ congestion: CongestionState = .none) -> Bool {
      shortfall.isBelieved(allocated: 260_000, available: 200_000, congestion: congestion)
    }
    shortfall.advance(to: .zero, allocated: 0, available: 0)
    shortfall.advance(to: .seconds(9), allocated: 0, available: 1_000_000)
    #expect(!isBelieved() && isBelieved(.congested) && !isBelieved(.earlyWarning))
    #expect(
      shortfall.believedAt(allocated: 260_000, available: 200_000)!.microseconds == 9_833_335)
    shortfall.advance(to: .milliseconds(9_800), allocated: 260_000, available: 200_000)
    #expect(!isBelieved())
    shortfall.advance(to: .milliseconds(9_850), allocated: 260_000, available: 200_000)
    #expect(isBelieved())
    shortfall.advance(to: .milliseconds(9_900), allocated: 100_000, available: 200_000)
    #expect(!isBelieved(), "51,000 less 5,000 bits")
    shortfall.settle()
    #expect(
      shortfall.believedAt(allocated: 300_000, available: 200_000)!.microseconds == 10_400_001)
    // A shortfall beyond 30 % is believed at once; one of exactly 30 % is not.
    #expect(shortfall.isBelieved(allocated: 290_000, available: 200_000, congestion: .none))
    #expect(!shortfall.isBelieved(allocated: 200_000, available: 140_000, congestion: .none))
    #expect(!shortfall.isBelieved(allocated: 5, available: 5, congestion: .congested))
    #expect(shortfall.believedAt(allocated: 5, available: 5) == nil)
  }
}
