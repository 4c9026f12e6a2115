import Annotations
import SystemPackage
import Testing
import VoiceActivity

@testable import VoiceMonitor
@testable import vadmon

/// What becomes an event of `vadmon live`.
@Suite struct LiveEventTests {
  /// Half a millisecond rounds up; less is not reported.
  @Test(arguments: [(1, nil), (23, nil), (24, 1), (48, 1), (4800, 100)] as [(UInt64, UInt64?)])
  func aGapThatRoundsToNothingIsNone(frames: UInt64, milliseconds: UInt64?) {
    let gap = MonitorEvent(
      kind: .discontinuity(missingFrames: frames), position: 48_000, decidedAt: 48_480)
    let length = milliseconds.map { LiveEvent.Kind.gap(MediaTime(milliseconds: $0)) }
    #expect(LiveEvent(gap, rate: 48_000)?.kind == length)
  }
}
