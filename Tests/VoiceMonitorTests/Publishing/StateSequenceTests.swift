import Testing

@testable import VoiceMonitor

@Suite(.timeLimit(.minutes(5))) struct StateSequenceTests {
  @Test func aLateObserverGetsThePresentValue() async {
    let state = StateBroadcaster(fresh: NewestValue(1))
    state.publish(2)
    state.publish(3)
    #expect(StateSequence(state).value == 3)
    var values = StateSequence(state).makeAsyncIterator()
    #expect(await values.next() == 3)
  }

  @Test func equalValuesAreDeliveredOnce() async {
    let state = StateBroadcaster(fresh: NewestValue(false))
    var values = StateSequence(state).makeAsyncIterator()
    #expect(await values.next() == false)
    state.publish(false)
    state.publish(true)
    #expect(await values.next() == true)
    state.publish(true)
    state.finish()
    #expect(await values.next() == nil)
  }

  /// A change that was taken back while nobody looked is not a change.
  @Test func aSlowObserverSeesNoDuplicates() async throws {
    let state = StateBroadcaster(fresh: NewestValue(0))
    var values = StateSequence(state).makeAsyncIterator()
    #expect(await values.next() == 0)
    state.publish(7)
    state.publish(0)
    async let next = values.next()
    try await state.state.untilAwaited()
    state.publish(5)
    #expect(await next == 5)
  }

  @Test func theLastValueIsThereAfterTheEnd() async {
    let state = StateBroadcaster(fresh: NewestValue("a"))
    state.publish("b")
    state.finish()
    state.publish("c")
    var collected: [String] = []
    for await value in StateSequence(state) { collected.append(value) }
    #expect(collected == ["b"])
    #expect(StateSequence(state).value == "b")
  }

  @Test func aLoopEndsWithItsBroadcaster() async throws {
    var state: StateBroadcaster<Int>? = StateBroadcaster(fresh: NewestValue(1))
    let values = StateSequence(state!)
    let reader = Task {
      var collected: [Int] = []
      for await value in values { collected.append(value) }
      return collected
    }
    try await state!.state.untilAwaited()
    state = nil
    #expect(await reader.value == [1])
  }

  @Test func aCancelledLoopEnds() async throws {
    let state = StateBroadcaster(fresh: NewestValue(1))
    let reader = Task { for await _ in StateSequence(state) {} }
    try await state.state.untilAwaited()
    reader.cancel()
    await reader.value
    // The same for a task that is cancelled before it begins.
    let late = Task {
      while !Task.isCancelled { await Task.yield() }
      for await _ in StateSequence(state) { Issue.record("cancelled before") }
    }
    late.cancel()
    await late.value
  }

  /// Each observer sees values in order, never two equal ones in a row, and the last one.
  @Test(arguments: [1, 4, 16]) func everyObserverSeesTheLastValue(_ count: Int) async {
    let state = StateBroadcaster(fresh: NewestValue(0))
    await withTaskGroup(of: [Int].self) { group in
      for _ in 0..<count {
        group.addTask {
          var seen: [Int] = []
          for await value in StateSequence(state) { seen.append(value) }
          return seen
        }
      }
      for value in 1...10_000 {
        state.publish(value)
        if value % 97 == 0 { await Task.yield() }
      }
      state.finish()
      for await seen in group {
        #expect(seen.last == 10_000)
        #expect(zip(seen, seen.dropFirst()).allSatisfy { $0 < $1 })
      }
    }
  }

  /// Cancelling at any time leaves nobody waiting.
  @Test func cancellingMayCoincideWithSetting() async {
    let state = StateBroadcaster(fresh: NewestValue(0))
    for round in 1...300 {
      let reader = Task { for await _ in StateSequence(state) {} }
      for _ in 0..<round % 7 { await Task.yield() }
      async let set: Void = state.publish(round)
      reader.cancel()
      await set
      await reader.value
    }
  }
}
