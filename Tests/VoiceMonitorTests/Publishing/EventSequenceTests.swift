import Testing

@testable import RealTime
@testable import VoiceActivity
@testable import VoiceMonitor

@Suite(.timeLimit(.minutes(5))) struct EventSequenceTests {
  private func event(_ number: UInt64) -> MonitorEvent {
    MonitorEvent(kind: .onset, position: number, decidedAt: number + 1)
  }

  private func collect(_ events: EventSequence) async -> [MonitorEvent] {
    var collected: [MonitorEvent] = []
    for await event in events { collected.append(event) }
    return collected
  }

  @Test func everyObserverGetsAllEventsSinceItSubscribed() async {
    let broadcaster = Broadcaster(fresh: EventQueue(capacity: 10))
    let first = EventSequence(broadcaster.subscribe())
    broadcaster.publish(event(1))
    let second = EventSequence(broadcaster.subscribe())
    broadcaster.publish(event(2))
    broadcaster.finish()
    let third = EventSequence(broadcaster.subscribe())
    #expect(await collect(first) == [event(1), event(2)])
    #expect(await collect(second) == [event(2)])
    #expect(await collect(third) == [])
  }

  /// 3 events fit; 4 and 5 are dropped and reported in their place.
  @Test func dropsAreReportedAtTheirPlace() async {
    let broadcaster = Broadcaster(fresh: EventQueue(capacity: 3))
    let events = EventSequence(broadcaster.subscribe())
    for number in UInt64(1)...5 { broadcaster.publish(event(number)) }
    var iterator = events.makeAsyncIterator()
    #expect(await iterator.next() == event(1))
    broadcaster.publish(event(6))  // No room for it and for the report of the two.
    #expect(await iterator.next() == event(2))
    broadcaster.publish(event(7))
    broadcaster.finish()
    var rest: [MonitorEvent] = []
    while let event = await iterator.next() { rest.append(event) }
    let dropped = MonitorEvent(kind: .dropped(count: 3), position: 6, decidedAt: 7)
    #expect(rest == [event(3), dropped, event(7)])
  }

  @Test func dropsAtTheEndAreReported() async {
    let broadcaster = Broadcaster(fresh: EventQueue(capacity: 2))
    let events = EventSequence(broadcaster.subscribe())
    for number in UInt64(1)...9 { broadcaster.publish(event(number)) }
    broadcaster.finish()
    let dropped = MonitorEvent(kind: .dropped(count: 7), position: 9, decidedAt: 10)
    #expect(await collect(events) == [event(1), event(2), dropped])
  }

  /// An observer that never reads delays nobody: 2 events fit in its queue, and another one still gets all.
  @Test func aSlowObserverStallsNobody() async {
    let broadcaster = Broadcaster(fresh: EventQueue(capacity: 2))
    let idle = EventSequence(broadcaster.subscribe())
    let reader = EventSequence(broadcaster.subscribe())
    var iterator = reader.makeAsyncIterator()
    for number in 1...1000 {
      broadcaster.publish(event(UInt64(number)))
      #expect(await iterator.next() == event(UInt64(number)))
    }
    broadcaster.finish()
    #expect(await collect(idle).last?.kind == .dropped(count: 998))
  }

  @Test func aCancelledLoopEnds() async throws {
    let broadcaster = Broadcaster(fresh: EventQueue(capacity: 2))
    let reader = Task { [events = EventSequence(broadcaster.subscribe())] in await collect(events) }
    try await broadcaster.state.untilAwaited()
    reader.cancel()
    #expect(await reader.value == [])
  }

  /// Whatever the two threads do, every event arrives in order or is counted as dropped.
  @Test(arguments: [2, 3, 64]) func everyLossIsCounted(_ capacity: Int) async {
    let broadcaster = Broadcaster(fresh: EventQueue(capacity: capacity))
    let events = EventSequence(broadcaster.subscribe())
    let sender = Task.detached {
      for number in 1...20_000 {
        broadcaster.publish(event(UInt64(number)))
        if number % 50 == 0 { await Task.yield() }
      }
      broadcaster.finish()
    }
    var (next, received) = (UInt64(1), 0)
    for await event in events {
      if case .dropped(let count) = event.kind {
        next += UInt64(count)
        received += count
      } else {
        #expect(event.position == next)
        next += 1
        received += 1
      }
    }
    await sender.value
    #expect(received == 20_000)
  }
}
