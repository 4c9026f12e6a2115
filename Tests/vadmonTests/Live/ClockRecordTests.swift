import Annotations
import Testing

@testable import VoiceMonitor
@testable import vadmon

/// The output when the wall clock and the times of records no longer agree.
@Suite struct ClockRecordTests {
  private func event(wallClock: Duration, asleep: Duration) throws -> LiveEvent {
    let shift = ClockShift(wallClock: wallClock, asleep: asleep)
    let event = MonitorEvent(kind: .clock(shift), position: 200_000, decidedAt: 200_000)
    return try #require(LiveEvent(event, rate: 16_000))
  }

  @Test func sleepIsRecorded() throws {
    let event = try event(wallClock: .milliseconds(3_600_012), asleep: .milliseconds(3_600_012))
    #expect(
      event.json.text == """
        {"type": "clock", "time": 12.500, "decided_at": 12.500, "wall_clock": 3600.012, \
        "asleep": 3600.012, "message": "the computer slept for 3600.0 s"}
        """)
  }

  @Test func aSetClockIsRecorded() throws {
    let back = try event(wallClock: .milliseconds(-1500), asleep: .zero)
    #expect(back.text == "the wall clock was set back by 1.5 s")
    #expect(back.json.text.contains(#""wall_clock": -1.500, "asleep": 0.000,"#))
    let forward = try event(wallClock: .seconds(60), asleep: .zero)
    #expect(forward.text == "the wall clock was set forward by 60.0 s")
  }
}
