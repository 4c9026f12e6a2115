import Testing

@testable import VideoPause

@Suite struct SessionTests {
  private func session(_ cameras: Int) async throws -> VideoPauseSession {
    let session = try VideoPauseSession(configuration: .pure)
    try await session.update(at: .zero) { (coordinator) throws(VideoPauseError) in
      for name in "abcdef".prefix(cameras) {
        try coordinator.upsertStream(
          camera(String(name)), kind: .camera, layers: simulcast(100, 300), at: .zero)
      }
    }
    return session
  }

  private func say(_ rate: Int, _ time: Int64, to session: VideoPauseSession) async throws {
    try await session.update(at: .seconds(time)) { (coordinator) throws(VideoPauseError) in
      try coordinator.setBandwidthEstimate(rate, at: .seconds(time))
      _ = try coordinator.decide(at: .seconds(time))
      for row in coordinator.decision.streams where row.needsKeyFrame {
        try coordinator.layerLocked(row.id, at: .seconds(time))
      }
    }
  }

  @Test("LB-15 Changes of pausedTracks arrive one by one while they are read")
  func changesArriveOneByOneWhileTheyAreRead() async throws {
    let session = try await session(2)
    var changes = await session.pausedTracksChanges().makeAsyncIterator()
    try await say(100_000, 1, to: session)
    #expect(await changes.next() == PausedTracksChange(paused: ["b": [.video]]))
    try await say(0, 2, to: session)
    #expect(await changes.next() == PausedTracksChange(paused: ["a": [.video]]))
    try await say(900_000, 3, to: session)
    #expect(await changes.next() == PausedTracksChange(resumed: ["a": [.video]]))
    try await say(900_000, 4, to: session)
    #expect(await changes.next() == PausedTracksChange(resumed: ["b": [.video]]))
    #expect(await session.pausedTracks.isEmpty)
    await session.finish()
    #expect(await changes.next() == nil)
  }

  /// A new reader gets the present state.
  @Test func aLateReaderGetsOneChangeWithEverything() async throws {
    let session = try await session(3)
    var slow = await session.pausedTracksChanges().makeAsyncIterator()
    for time in 1...1_000 { try await say(time % 2 == 0 ? 0 : 9_000_000, Int64(time), to: session) }
    #expect(
      await slow.next()
        == PausedTracksChange(paused: ["a": [.video], "b": [.video], "c": [.video]]))
    var late = await session.pausedTracksChanges().makeAsyncIterator()
    #expect(await late.next()?.paused.count == 3)
    var decisions = await session.decisions().makeAsyncIterator()
    #expect(await decisions.next() == session.decision)
    await session.finish()
    #expect(await slow.next() == nil)
    #expect(await decisions.next() == nil)
  }

  @Test("IV-20 IV-21 Nothing, then 180p, then 360p are three updates of videoStreams")
  func videoStreamsReportsEachResolution() async throws {
    let session = try await session(1)
    try await say(0, 0, to: session)
    var videos = await session.videoStreamsUpdates().makeAsyncIterator()
    #expect(await videos.next() == [])
    for (rate, height) in [(110_000, 180), (310_000, 360)] {
      try await say(rate, Int64(rate), to: session)
      try await say(rate + 1, Int64(rate) + 1, to: session)
      #expect(await videos.next()?.map(\.resolution.height) == [height])
    }
    await session.finish()
    #expect(await videos.next() == nil)
  }

  @Test("LB-15 A reader whose task is cancelled gets nothing more and is released")
  func aCancelledReaderIsReleased() async throws {
    let session = try await session(1)
    let reader = Task { () -> Int in
      var count = 0
      for await _ in await session.decisions() { count += 1 }
      return count
    }
    while await session.readerCount == 0 { await Task.yield() }
    reader.cancel()
    _ = await reader.value
    while await session.readerCount > 0 { await Task.yield() }
    try await say(0, 1, to: session)
  }

  /// A stream that nobody reads is released.
  @Test func streamsEndWithTheSession() async throws {
    let session = try await session(1)
    do {
      let unread = await session.decisions()
      #expect(await session.readerCount == 1)
      _ = unread
    }
    while await session.readerCount > 0 { await Task.yield() }
    await session.finish()
    for await _ in await session.decisions() { Issue.record("after the end") }
  }

  @Test func aRefusedInputThrowsAndEarlierOnesStay() async throws {
    let session = try await session(1)
    await #expect(throws: VideoPauseError.invalidBandwidth(-1)) {
      try await session.update(at: .seconds(1)) { (coordinator) throws(VideoPauseError) in
        try coordinator.setLastN(0, at: .seconds(1))
        try coordinator.setBandwidthEstimate(-1, at: .seconds(1))
      }
    }
    try await session.update(at: .seconds(2)) { _ in }
    #expect(await session.videoStreams.isEmpty)
    #expect(await session.decision.streams.first?.target == .paused(.notRequested))
  }

  @Test func concurrentReadersArriveAtThePresentState() async throws {
    let session = try await session(4)
    let readers = (0..<3).map { _ in
      Task { () -> [ParticipantID: Set<TrackType>] in
        var state: [ParticipantID: Set<TrackType>] = [:]
        for await change in await session.pausedTracksChanges() {
          change.apply(to: &state)
          if state == ["d": [.video]] { break }
        }
        return state
      }
    }
    for time in 1...200 { try await say(time % 3 * 150_000, Int64(time), to: session) }
    try await say(300_000, 300, to: session)
    for reader in readers { #expect(await reader.value == ["d": [.video]]) }
  }

  @Test func readersDoNotTakeChangesFromEachOther() async throws {
    let session = try await session(2)
    var quick = await session.pausedTracksChanges().makeAsyncIterator()
    var slow = await session.pausedTracksChanges().makeAsyncIterator()
    try await say(100_000, 1, to: session)
    #expect(await quick.next() == PausedTracksChange(paused: ["b": [.video]]))
    try await say(0, 2, to: session)
    #expect(await quick.next() == PausedTracksChange(paused: ["a": [.video]]))
    #expect(await slow.next() == PausedTracksChange(paused: ["a": [.video], "b": [.video]]))
    // Two changes that cancel out between two reads of the slow reader do not reach it.
    try await say(900_000, 3, to: session)
    #expect(await quick.next()?.resumed.count == 1)
    try await say(0, 4, to: session)
    #expect(await quick.next()?.paused.count == 1)
    try await say(100_000, 5, to: session)
    #expect(await slow.next() == PausedTracksChange(resumed: ["a": [.video]]))
  }

  @Test func cancellingAReaderLeavesTheOthersReading() async throws {
    let session = try await session(1)
    var other = await session.decisions().makeAsyncIterator()
    let reader = Task { for await _ in await session.videoStreamsUpdates() {} }
    while await session.readerCount < 2 { await Task.yield() }
    reader.cancel()
    await reader.value
    while await session.readerCount > 1 { await Task.yield() }
    try await say(0, 1, to: session)
    #expect(await other.next()?.streams.first?.target == .paused(.bandwidth))
  }

  @Test func aNewReaderGetsThePresentStateOnce() async throws {
    let session = try await session(2)
    try await say(110_000, 1, to: session)
    for _ in 0..<2 {
      var videos = await session.videoStreamsUpdates().makeAsyncIterator()
      var changes = await session.pausedTracksChanges().makeAsyncIterator()
      var decisions = await session.decisions().makeAsyncIterator()
      #expect(await videos.next()?.map(\.id) == [camera("a")])
      #expect(await changes.next() == PausedTracksChange(paused: ["b": [.video]]))
      #expect(await decisions.next()?.generation == session.decision.generation)
    }
    let generation = await session.decision.generation
    var decisions = await session.decisions().makeAsyncIterator()
    _ = await decisions.next()
    // Nothing changes at 2 s, so the next delivery is that of 3 s.
    try await say(111_000, 2, to: session)
    try await say(0, 3, to: session)
    #expect(await decisions.next()?.generation == generation + 1)
  }
}
