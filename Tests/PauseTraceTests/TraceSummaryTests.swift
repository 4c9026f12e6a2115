import Annotations
import Testing
import VideoPause

@testable import PauseTrace

/// A summary compared with numbers computed by hand.
@Suite struct TraceSummaryTests {
  private let a = StreamID(participant: "a")
  private let b = StreamID(participant: "b")

  private func layer(_ bitrate: Int) -> VideoLayer {
    VideoLayer(spatial: 0, size: VideoSize(width: 2, height: 2), bitrate: bitrate)
  }

  private func row(_ id: StreamID, _ target: StreamTarget, ideal: Int?) -> StreamDecision {
    StreamDecision(id: id, target: target, ideal: ideal.map(layer))
  }

  private func state(
    _ second: Int64, estimate: Int, _ streams: [StreamDecision], deficient: Bool = true,
    oversending: Bool = false
  ) -> TraceState {
    TraceState(
      at: .seconds(second), estimate: estimate, capacity: estimate - 200_000,
      decision: AllocationDecision(
        generation: UInt64(second), streams: streams, isDeficient: deficient,
        isOversending: oversending))
  }

  /// Ten seconds: 800 kbit/s are left for five of them, then 300. Stream a has 400 kbit/s until it is muted at 9 s; b
  /// has the same from 2 to 5 s, and is hidden from 9 s on.
  private var states: [TraceState] {
    let sentA = row(a, .forward(layer(400_000)), ideal: 800_000)
    let pausedB = row(b, .paused(.bandwidth), ideal: 400_000)
    let sentB = row(b, .forward(layer(400_000)), ideal: 400_000)
    let nobody = [
      row(a, .paused(.publisherMuted), ideal: nil), row(b, .paused(.notVisible), ideal: nil),
    ]
    return [
      state(0, estimate: 1_000_000, [sentA, pausedB]),
      state(2, estimate: 1_000_000, [sentA, sentB]),
      state(5, estimate: 500_000, [sentA, pausedB], oversending: true),
      state(9, estimate: 500_000, nobody, deficient: false),
      state(10, estimate: 500_000, nobody, deficient: false),
    ]
  }

  private func summary(_ states: [TraceState]) -> TraceSummary {
    states.reduce(into: TraceSummary()) { $0.add($1) }
  }

  @Test func timesTogglesAndSharesMatchAHandCalculation() throws {
    let summary = summary(states)
    #expect(summary.duration == 10_000_000)
    #expect(summary.decisions == 10)
    #expect(summary.deficient == 9_000_000)
    #expect(summary.oversending == 4_000_000)
    #expect(summary.capacity == 5.5e12)
    let (useA, useB) = (try #require(summary.streams[a]), try #require(summary.streams[b]))
    #expect(
      [useA.forwarded, useA.pausedForBandwidth, useA.notForwarded] == [9_000_000, 0, 1_000_000])
    #expect(
      [useB.forwarded, useB.pausedForBandwidth, useB.notForwarded]
        == [3_000_000, 6_000_000, 1_000_000])
    #expect([useA.toggles, useB.toggles, summary.total.toggles] == [0, 2, 2])
    #expect(useA.meanBitrate == 360_000 && useB.meanBitrate == 120_000)
    #expect(useA.shareOfIdeal == 0.5)
    // 3.6, 1.2 and 4.8 Mbit of 5.5.
    let shares = [useA, useB, summary.total].map { summary.useOfCapacity($0) ?? 0 }
    for (share, expected) in zip(shares, [0.654545, 0.218182, 0.872727]) {
      #expect(abs(share - expected) < 1e-6)
    }
  }

  @Test func theRecordHasTheSameFigures() throws {
    let text = summary(states).json.text
    #expect(
      text.hasPrefix(
        """
        {"type": "summary", "duration": 10.000, "decisions": 10, "deficient": 9.000, \
        "oversending": 4.000, "mean_capacity_bps": 550000, "present": 20.000, "forwarded": 12.000, \
        "paused": 6.000, "not_forwarded": 2.000, "toggles": 2, "mean_bps": 240000, \
        "use_of_capacity": 0.8727, "share_of_ideal": 0.4444, "streams": [
        """), "\(text)")
    #expect(
      text.contains(
        #""toggles": 2, "mean_bps": 120000, "use_of_capacity": 0.2182, "share_of_ideal": 0.3333}]"#)
    )
  }

  @Test func theTableHasTheSameFigures() {
    #expect(
      summary(states).text == """
        10.000 s, decisions 10; short of bandwidth 9.000 s, oversending 4.000 s

        stream   present s  forwarded s  paused s  toggles  kbit/s  use of capacity  of the ideal
        a/video     10.000        9.000     0.000        0   360.0            0.655         0.500
        b/video     10.000        3.000     6.000        2   120.0            0.218         0.333
        all         20.000       12.000     6.000        2   240.0            0.873         0.444

        """)
  }

  @Test func anEmptyTraceHasNoSharesAndOneMomentNoDuration() {
    let empty = TraceSummary()
    #expect(empty.useOfCapacity(empty.total) == nil && empty.total.shareOfIdeal == nil)
    let one = summary([states[0]])
    #expect(one.duration == 0 && one.streams.count == 2)
    #expect(one.streams[a]?.meanBitrate == nil)
    #expect(one.json.text.contains("\"mean_capacity_bps\": null"))
    #expect(one.text.contains("–"))
  }

  /// Time away, hidden or muted does not count.
  @Test func onlyPausesAndResumesCountAsToggles() {
    let sent = row(a, .forward(layer(1)), ideal: 1)
    let paused = row(a, .paused(.bandwidth), ideal: 1)
    let hidden = row(a, .paused(.notVisible), ideal: nil)
    let toggles = { (rows: [StreamDecision?]) -> Int in
      let states = rows.enumerated().map { second, row in
        state(Int64(second), estimate: 0, row.map { [$0] } ?? [])
      }
      return summary(states).streams[a]?.toggles ?? 0
    }
    #expect(toggles([paused]) == 0)
    #expect(toggles([sent, hidden, sent]) == 0)
    #expect(toggles([sent, hidden, paused]) == 1)
    #expect(toggles([hidden, paused, hidden, sent]) == 1)
    #expect(toggles([sent, nil, paused]) == 0)
    #expect(toggles([sent, paused, sent, paused, paused]) == 3)
  }
}
