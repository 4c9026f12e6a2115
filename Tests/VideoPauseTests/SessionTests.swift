import TestSupport
import Testing

@testable import VideoPause

@Suite(.timeLimit(.minutes(5))) struct SessionTests {
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

  @Test("LB-06 LB-13 LB-15 The guide's example: paused participants are observed until cancelled")
  func participantsWithPausedVideoAreObserved() async throws {
    let session = try await session(3)
    let (seen, printed) = AsyncStream<[ParticipantID]>.makeStream()
    let observation = Task {
      for await participants in await session.updates(of: \.state.participants) {
        let pausedVideoParticipants = participants.filter { $0.pausedTracks.contains(.video) }
        printed.yield(pausedVideoParticipants.map(\.id))
      }
      printed.finish()
    }
    var reports = seen.makeAsyncIterator()
    #expect(await reports.next() == [])
    for (rate, time, paused) in [
      (200_000, 1, ["c"]), (0, 2, ["a", "b", "c"]), (900_000, 3, ["b", "c"]),
    ] as [(Int, Int64, [ParticipantID])] {
      try await say(rate, time, to: session)
      #expect(await reports.next() == paused)
    }
    observation.cancel()
    await observation.value
    try await waitUntil("no reader is left") { await session.readerCount == 0 }
    try await say(0, 4, to: session)
    #expect(await reports.next() == nil)
  }

  @Test("LB-05 LB-09 The state has every participant, with or without video, and the capabilities")
  func theStateHasEveryParticipantAndTheCapabilities() async throws {
    let session = try await session(2)
    var states = await session.updates(of: \.state).makeAsyncIterator()
    let both = [SubscriberState.Participant(id: "a"), .init(id: "b")]
    #expect(await states.next() == SubscriberState(participants: both))
    try await session.update(at: .seconds(1)) { (coordinator) throws(VideoPauseError) in
      try coordinator.setParticipants(["silent"], at: .seconds(1))
      try coordinator.disableClientCapabilities([.subscriberVideoPause], at: .seconds(1))
    }
    let all = SubscriberState(participants: both + [.init(id: "silent")], clientCapabilities: [])
    #expect(await states.next() == all)
    // Without the capability nothing is paused, so this is no change.
    try await say(0, 2, to: session)
    try await session.update(at: .seconds(3)) { (coordinator) throws(VideoPauseError) in
      _ = try coordinator.enableClientCapabilities([.subscriberVideoPause], at: .seconds(3))
    }
    #expect(await states.next()?.participants.map(\.pausedTracks) == [[.video], [.video], []])
    #expect(await session.state.clientCapabilities == [.subscriberVideoPause])
  }

  @Test("IV-05 The layout is observed: none, custom, not available, and available again")
  func theLayoutIsObserved() async throws {
    let session = try await session(1)
    var layouts = await session.updates(of: \.videoLayout).makeAsyncIterator()
    func choose(_ layout: VideoLayout, _ time: Int64) async throws {
      let result = try await session.update(at: .seconds(time)) {
        (coordinator) throws(VideoPauseError) in
        try coordinator.setInMeeting(true, at: .seconds(time))
        return try coordinator.setVideoLayout(layout, at: .seconds(time))
      }
      #expect(result == .success)
    }
    func support(_ isAvailable: Bool, _ time: Int64) async throws {
      try await session.update(at: .seconds(time)) { (coordinator) throws(VideoPauseError) in
        _ = try coordinator.setCustomLayoutAvailable(isAvailable, at: .seconds(time))
      }
    }
    // The first value is delivered although it is nil.
    #expect(await layouts.next() == .some(nil))
    try await choose(.custom, 1)
    #expect(await layouts.next() == .custom)
    try await support(false, 2)
    #expect(await layouts.next() == .some(nil))
    try await support(true, 3)
    #expect(await layouts.next() == .custom)
    // Neither a layout that is in force, nor one that comes and goes unread, is a change.
    try await choose(.custom, 4)
    try await choose(.speaker, 5)
    try await choose(.custom, 6)
    try await choose(.gallery, 7)
    #expect(await layouts.next() == .gallery)
    #expect(await session.videoLayout == .gallery)
    await session.finish()
    #expect(await layouts.next() == nil)
  }

  /// "No layout" is a value like any other.
  @Test func noLayoutIsDeliveredOnce() async throws {
    let session = try await session(1)
    let (seen, report) = AsyncStream<VideoLayout?>.makeStream()
    let reader = Task {
      for await layout in await session.updates(of: \.videoLayout) {
        report.yield(layout)
        if layout == .custom { break }
      }
      report.finish()
    }
    var layouts = seen.makeAsyncIterator()
    #expect(await layouts.next() == .some(nil))
    for time in 1...200 {
      try await say(0, Int64(time), to: session)
      await Task.yield()
    }
    try await session.update(at: .seconds(201)) { (coordinator) throws(VideoPauseError) in
      _ = try coordinator.setVideoLayout(.custom, at: .seconds(201))
    }
    #expect(await layouts.next() == .some(.custom))
    #expect(await layouts.next() == nil)
    await reader.value
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
    var videos = await session.updates(of: \.videoStreams).makeAsyncIterator()
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
    try await waitUntil("there is a reader") { await session.readerCount > 0 }
    reader.cancel()
    _ = await reader.value
    try await waitUntil("no reader is left") { await session.readerCount == 0 }
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
    try await waitUntil("no reader is left") { await session.readerCount == 0 }
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
    let reader = Task { for await _ in await session.updates(of: \.videoStreams) {} }
    try await waitUntil("both read") { await session.readerCount == 2 }
    reader.cancel()
    await reader.value
    try await waitUntil("one reader is left") { await session.readerCount == 1 }
    try await say(0, 1, to: session)
    #expect(await other.next()?.streams.first?.target == .paused(.bandwidth))
  }

  @Test func aNewReaderGetsThePresentStateOnce() async throws {
    let session = try await session(2)
    try await say(110_000, 1, to: session)
    for _ in 0..<2 {
      var videos = await session.updates(of: \.videoStreams).makeAsyncIterator()
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
