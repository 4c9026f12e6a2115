import TestSupport
import Testing

@testable import VideoPause

@Suite struct BudgetTests {
  /// The oracle integrates what was available over each part anew, and sorts the means.
  @Test func theHistoryMatchesAListOfEveryValue() {
    var random = SeededGenerator(seed: 3)
    var compared = 0
    for run in 0..<100 {
      var history = AvailableHistory(.default)
      var record = Record()
      var now: Int64 = -20_000_000
      let mean = random.int(1...2_000_000)
      for step in 0..<150 {
        let value = Int(Double(mean) * max(0, 1 + 0.3 * random.normal()))
        history.record(value, at: Timestamp(microseconds: now))
        record.add(value, at: now)
        now += Int64(random.int(0...(random.chance(3) ? 1_000_000 : 300_000)))
        guard (step + run) % 7 == 0 else { continue }
        let parts = record.parts(20, before: now)
        let time = Timestamp(microseconds: now)
        #expect(abs(Double(history.mostly(at: time)) - parts.sorted()[3]) <= 2)
        #expect(abs(Double(history.recently(at: time)) - parts.prefix(2).min()!) <= 2)
        #expect(abs(Double(history.steadily(at: time)) - parts.prefix(6).min()!) <= 2)
        #expect(abs(Double(history.usually(at: time)) - record.usual(before: now)) <= 2)
        compared += 1
      }
    }
    #expect(compared > 1_000)
  }

  @Test func aMomentarySampleIsNoEvidence() {
    var history = AvailableHistory(.default)
    history.record(400_000, at: .zero)
    history.record(90_000_000, at: .seconds(20))
    #expect(history.recently(at: .seconds(20)) == 400_000)
    history.record(400_000, at: .milliseconds(20_001))
    #expect(history.recently(at: .seconds(21)) == 400_000)
    #expect(history.mostly(at: .seconds(21)) == 400_000)
  }

  @Test func aStepCountsForLargerPicturesBeforeItCountsForOneMore() {
    var history = AvailableHistory(.default)
    history.record(400_000, at: .zero)
    history.record(3_000_000, at: .seconds(15))
    #expect(history.isSettling)
    // Two parts, and the seventeenth of twenty, are complete.
    for (milliseconds, recently, mostly) in [
      (15_299, 400_000, 400_000), (15_300, 3_000_000, 400_000), (17_549, 3_000_000, 400_000),
      (17_550, 3_000_000, 3_000_000),
    ] as [(Int64, Int, Int)] {
      let now = Timestamp.milliseconds(milliseconds)
      #expect(history.recently(at: now) == recently && history.mostly(at: now) == mostly)
      #expect(history.usually(at: now) == 400_000)
    }
    // Eleven of 40 parts.
    #expect(history.usually(at: .milliseconds(23_249)) == 400_000)
    #expect(history.usually(at: .milliseconds(23_250)) == 3_000_000)
    #expect(history.mostly(at: .milliseconds(23_250)) == 3_000_000)
    #expect(!history.isSettling)
  }

  @Test func anOutageOfTwentySecondsDoesNotChangeWhatIsUsual() {
    var history = AvailableHistory(.default)
    history.record(4_000_000, at: .zero)
    history.record(0, at: .seconds(30))
    #expect(history.usually(at: .seconds(50)) == 4_000_000)
    #expect(history.usually(at: .seconds(53)) == 0)
  }

  @Test func withoutAWindowTheLatestValueIsTheEvidence() {
    var history = AvailableHistory(.pure)
    history.record(7, at: .zero)
    history.record(9, at: .seconds(1))
    #expect(history.mostly(at: .seconds(9)) == 9 && history.recently(at: .seconds(9)) == 9)
    #expect(history.usually(at: .seconds(9)) == 9)
    #expect(!history.isSettling)
  }

  @Test func extremeTimesAndLongSilencesAreHandled() {
    for start in [Timestamp(microseconds: .min), Timestamp(microseconds: .max - 3)] {
      var history = AvailableHistory(.default)
      history.record(5_000_000, at: start)
      history.record(VideoPauseLimits.maximumBitrate, at: start.advanced(by: .microseconds(1)))
      #expect(history.mostly(at: start.advanced(by: .microseconds(2))) == 5_000_000)
      let last = history.mostly(at: Timestamp(microseconds: .max))
      #expect(last == (start.microseconds < 0 ? VideoPauseLimits.maximumBitrate : 5_000_000))
    }
  }

  @Test func afterForgettingTheNextValueIsTheEvidence() {
    var history = AvailableHistory(.default)
    history.record(1_000, at: .zero)
    history.forget()
    history.record(1_000_000, at: .milliseconds(1))
    #expect(history.mostly(at: .milliseconds(1)) == 1_000_000)
  }

  /// It is the larger of the expected and the measured rate, plus a fifth.
  @Test func theAudioReserveMatchesAHandCalculation() {
    var reserve = Reserve(.default)
    #expect(reserve.bitrate == 0)
    for (count, measured, bitrate) in [
      (1, 0, 57_600), (2, 96_000, 115_200), (2, 96_001, 115_202), (4, 1, 172_800), (0, 1, 2),
    ] {
      reserve.setAudio(streamCount: count, measured: measured)
      #expect(reserve.bitrate == bitrate)
    }
    reserve.setAudio(streamCount: 1, measured: nil)
    #expect(reserve.bitrate == 57_600, "what was measured before is over")
  }
}
