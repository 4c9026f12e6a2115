import CVoiceActivity
import TestSupport
import Testing

@testable import VoiceActivity

/// The union of several channels' spans, against the OR of their samples.
@Suite struct EventUnionTests {
  private struct Decision {
    var channel: Int
    var event: VoiceActivityEvent
  }

  private let hold: UInt64 = 30
  private let hangover: UInt64 = 20

  /// Returns random spans for each channel, apart by at least one sample.
  private func randomSpans(_ random: inout SeededGenerator, channels: Int) -> [[Range<UInt64>]] {
    (0..<channels).map { _ in
      var (position, spans): (UInt64, [Range<UInt64>]) = (0, [])
      while position < 600 {
        let start = position + UInt64.random(in: 1...60, using: &random)
        let end = start + UInt64.random(in: 1...60, using: &random)
        spans.append(start..<end)
        position = end
      }
      return spans
    }
  }

  /// Returns the events of the spans in the order of decision: ends after a hangover, begins `hold` later at most.
  private func decisions(
    _ spans: [[Range<UInt64>]], _ random: inout SeededGenerator
  ) -> [Decision] {
    var all: [Decision] = []
    for (channel, spans) in spans.enumerated() {
      var earliest: UInt64 = 0
      func add(_ kind: VoiceActivityEvent.Kind, at position: UInt64, decided: UInt64) {
        all.append(Decision(channel: channel, event: event(kind, position, decided)))
        earliest = decided
      }
      for span in spans {
        let ended = span.upperBound + hangover
        let latest = min(span.lowerBound + hold, ended)
        let decided = UInt64.random(
          in: max(earliest, span.lowerBound)...latest, using: &random)
        add(.onset, at: span.lowerBound, decided: decided)
        add(.offset, at: span.upperBound, decided: ended)
      }
    }
    let order = all.indices.sorted {
      (all[$0].event.decidedAt, $0) < (all[$1].event.decidedAt, $1)
    }
    return order.map { all[$0] }
  }

  private func union(
    _ decisions: [Decision], channels: Int, hold: UInt64
  ) -> [VoiceActivityEvent] {
    var union = EventUnion(of: .onset, to: .offset, channelCount: channels, hold: hold)
    var events: [VoiceActivityEvent] = []
    for (index, decision) in decisions.enumerated() {
      union.add(decision.event, of: decision.channel)
      // All events of one decision come before what follows from it.
      let isLast =
        index + 1 == decisions.count
        || decisions[index + 1].event.decidedAt > decision.event.decidedAt
      if isLast { union.settle(decision.event.decidedAt) { events.append($0) } }
    }
    union.settle(.max) { events.append($0) }
    return events
  }

  /// Returns where a sample is in a span of any channel, as spans.
  private func naive(_ spans: [[Range<UInt64>]]) -> [Range<UInt64>] {
    let length = Int(spans.joined().map(\.upperBound).max() ?? 0) + 2
    var isIn = Array(repeating: false, count: length)
    for span in spans.joined() { for index in span { isIn[Int(index)] = true } }
    var (result, start): ([Range<UInt64>], Int?) = ([], nil)
    for index in isIn.indices {
      if isIn[index], start == nil { start = index }
      if !isIn[index], let begin = start {
        result.append(UInt64(begin)..<UInt64(index))
        start = nil
      }
    }
    return result
  }

  @Test(arguments: 1...5) func aPositionIsInTheUnionIfItIsInAnyChannel(channels: Int) {
    for seed in 0..<200 {
      var random = SeededGenerator(seed: UInt64(seed))
      let spans = randomSpans(&random, channels: channels)
      // A span that begins where another ends goes on.
      let events = union(decisions(spans, &random), channels: channels, hold: hold + 1)
      let found = stride(from: 0, to: events.count, by: 2).map {
        events[$0].position..<events[$0 + 1].position
      }
      #expect(found == naive(spans))
      #expect(events.map(\.kind) == found.flatMap { _ in [.onset, .offset] })
    }
  }

  /// Without waiting, what was reported stays, and events still come in turn and in order. All samples of any channel
  /// are covered that lie behind what was reported.
  @Test(arguments: 2...4) func withoutWaitingEventsComeInOrder(channels: Int) {
    for seed in 0..<200 {
      var random = SeededGenerator(seed: UInt64(seed))
      let spans = randomSpans(&random, channels: channels)
      let events = union(decisions(spans, &random), channels: channels, hold: 0)
      let positions = events.map(\.position)
      #expect(positions == positions.sorted())
      #expect(
        events.map(\.kind) == events.indices.map { $0 % 2 == 0 ? .onset : .offset })
      let length = stride(from: 0, to: events.count, by: 2).reduce(UInt64(0)) {
        $0 + positions[$1 + 1] - positions[$1]
      }
      let whole = naive(spans).reduce(UInt64(0)) { $0 + UInt64($1.count) }
      #expect(length <= whole && length + UInt64(events.count) * hold >= whole)
    }
  }

  @Test func anEventIsReportedWithTheDecisionThatMakesIt() {
    let decisions = [
      Decision(channel: 1, event: event(.onset, 10, 20)),
      Decision(channel: 0, event: event(.onset, 15, 25)),
      Decision(channel: 1, event: event(.offset, 40, 50)),
      Decision(channel: 0, event: event(.offset, 30, 60)),
    ]
    #expect(
      union(decisions, channels: 2, hold: 0)
        == [event(.onset, 10, 20), event(.offset, 40, 60)])
  }

  private func event(
    _ kind: VoiceActivityEvent.Kind, _ position: UInt64, _ decidedAt: UInt64
  ) -> VoiceActivityEvent {
    VoiceActivityEvent(
      cValue: va_event(
        type: kind.rawValue, reserved: 0, position: position, decided_at: decidedAt,
        length_samples: 0))
  }
}
