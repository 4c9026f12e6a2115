import Annotations
import Testing

@testable import vadmon

@Suite struct MuteTimelineTests {
  @Test(
    arguments: [
      ("0-3.5,10-", [[0, 3500], [10_000]]),
      ("0-", [[0]]),
      ("1.25-2", [[1250, 2000]]),
      (".5-1.", [[500, 1000]]), ("0:01.5-1:02,1:00:00-", [[1500, 62_000], [3_600_000]]),
      ("1m30s-2m,1h-", [[90_000, 120_000], [3_600_000]]),
      ("0-1,1.001-2,3600-", [[0, 1000], [1001, 2000], [3_600_000]]),
    ] as [(String, [[UInt64]])])
  func aTimelineIsRead(row: (String, [[UInt64]])) throws {
    let timeline = try MuteTimeline(parsing: row.0)
    let read = timeline.intervals.map { interval in
      [interval.start.milliseconds] + (interval.end.map { [$0.milliseconds] } ?? [])
    }
    #expect(read == row.1)
  }

  @Test(arguments: [
    ("", "'' is not START-END"),
    ("3", "'3' is not START-END"),
    ("-", "'-' is not START-END"),
    ("-3", "'-3' is not START-END"),
    ("1-2-3", "'1-2-3' is not START-END"),
    ("a-b", "'a-b' is not START-END"),
    ("1-b", "'b' is not a time"),
    ("1e2-", "'1e2-' is not START-END"),
    ("0-1,", "'' is not START-END"),
    ("0-1 ,2-3", "'1 ' is not a time"),
    ("2-1", "'2-1' ends before it begins"),
    ("2-2", "'2-2' is empty"),
    ("0-,5-6", "only the last interval may leave its end open"),
    ("5-6,1-2", "the interval at 1.000 s begins before the one before it is over"),
    ("0-2,1.999-3", "the interval at 1.999 s begins before the one before it is over"),
    ("99999999999999999999-", "'99999999999999999999-' is not START-END"),
  ])
  func invalidTimelinesAreRefusedWithTheReason(row: (String, String)) {
    let error = #expect(throws: MuteTimeline.SyntaxError.self) {
      try MuteTimeline(parsing: row.0)
    }
    #expect(error?.description == row.1)
  }

  @Test func changesAreInSamples() throws {
    let changes = try MuteTimeline(parsing: "0-3.5,10-").changes(rate: 44_100)
    #expect(changes.map(\.position) == [0, 154_350, 441_000])
    #expect(changes.map(\.isMuted) == [true, false, true])
  }

  @Test func intervalsMayTouch() throws {
    let changes = try MuteTimeline(parsing: "0-2,2-3").changes(rate: 16_000)
    #expect(changes.map(\.position) == [0, 32_000, 32_000, 48_000])
    #expect(changes.map(\.isMuted) == [true, false, true, false])
  }

  @Test func neverHasNoChangeAndAlwaysHasOne() {
    #expect(MuteTimeline.never.changes(rate: 16_000).isEmpty)
    let always = MuteTimeline.always.changes(rate: 16_000)
    #expect(always.map(\.position) == [0])
    #expect(always.map(\.isMuted) == [true])
  }
}
