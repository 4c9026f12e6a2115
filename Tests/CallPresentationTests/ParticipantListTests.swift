import Testing
import VideoPause

@testable import CallPresentation

@Suite struct ParticipantListTests {
  /// Returns a participant with the given paused and published tracks, and no other property at its default.
  static func participant(
    _ id: ParticipantID, paused: Set<TrackType> = [],
    published: Set<TrackType> = [.audio, .video, .screenShare, .screenShareAudio]
  ) -> CallParticipant {
    var participant = CallParticipant(id: id, name: "Name of \(id)")
    participant.isPinned = true
    participant.isModerator = true
    participant.connectionQuality = .good
    participant.publishedTracks = published
    participant.pausedTracks = paused
    participant.track = StreamID(participant: id)
    participant.camera = .back
    participant.isSpeaking = true
    participant.joinedAt = .seconds(9)
    participant.dominantSpeakerTime = .seconds(3)
    return participant
  }

  static func paused(in list: ParticipantList) -> [ParticipantID: Set<TrackType>] {
    Dictionary(uniqueKeysWithValues: list.participants.map { ($0.id, $0.pausedTracks) })
  }

  // MARK: Paused tracks

  @Test("LB-06 LB-13 A new participant has nothing paused, and each has their own set")
  func eachParticipantHasTheirOwnSet() {
    #expect(CallParticipant(id: "a").pausedTracks.isEmpty)
    var list = ParticipantList([CallParticipant(id: "a"), CallParticipant(id: "b")])
    list.apply(PausedTracksChange(paused: ["a": [.video]]))
    #expect(Self.paused(in: list) == ["a": [.video], "b": []])
  }

  // The states before and after are those in the tests of Stream's client SDK.
  @Test("LB-13 LB-16 LB-17 Changes affect the named participant and type, and no other")
  func changesAffectOnlyTheNamedTracks() {
    var list = ParticipantList(["a", "b", "c"].map { Self.participant($0) })
    let steps: [(PausedTracksChange, [ParticipantID: Set<TrackType>])] = [
      (.init(paused: ["a": [.video], "b": [.audio]]), ["a": [.video], "b": [.audio], "c": []]),
      (
        .init(paused: ["a": [.screenShare], "b": [.video]]),
        ["a": [.video, .screenShare], "b": [.audio, .video], "c": []]
      ),
      (
        .init(resumed: ["a": [.video], "b": [.audio]]),
        ["a": [.screenShare], "b": [.video], "c": []]
      ),
      (
        .init(paused: ["c": [.video]], resumed: ["a": [.screenShare], "b": [.video]]),
        ["a": [], "b": [], "c": [.video]]
      ),
      // A track that is not paused cannot resume, and one that is paused is not paused again.
      (
        .init(paused: ["c": [.video]], resumed: ["a": [.video]]), ["a": [], "b": [], "c": [.video]]
      ),
    ]
    for (change, expected) in steps {
      list.apply(change)
      #expect(Self.paused(in: list) == expected)
    }
  }

  @Test("LB-13 Unknown participants and track types are ignored")
  func unknownParticipantsAndTypesAreIgnored() {
    var list = ParticipantList([Self.participant("a")])
    let before = list
    list.apply(
      PausedTracksChange(
        paused: ["ghost": [.video], "a": [.unknown, TrackType(rawValue: "hologram")]],
        resumed: ["nobody": [.video]]))
    #expect(list == before)
  }

  @Test("LB-13 A whole state replaces what was paused, and nothing else")
  func aWholeStateReplacesWhatWasPaused() {
    var list = ParticipantList(["a", "b", "c"].map { Self.participant($0, paused: [.video]) })
    list.apply(
      SubscriberState(participants: [
        .init(id: "a", pausedTracks: [.screenShare, TrackType(rawValue: "hologram")]),
        .init(id: "b"), .init(id: "ghost", pausedTracks: [.video]),
      ]))
    #expect(
      list.participants == [
        Self.participant("a", paused: [.screenShare]), Self.participant("b"), Self.participant("c"),
      ])
  }

  @Test("LB-05 LB-16 A pause adds its type to the set and changes nothing else of the participant")
  func aPauseChangesOnlyTheSetOfPausedTracks() {
    var list = ParticipantList([Self.participant("a")])
    list.apply(PausedTracksChange(paused: ["a": [.video]]))
    #expect(list.participants == [Self.participant("a", paused: [.video])])
    #expect(list["a"]?.hasAudio == true && list["a"]?.pausedTracks.contains(.audio) == false)
    #expect(list["a"]?.pausedTracks.contains(.screenShare) == false)
    list.apply(PausedTracksChange(resumed: ["a": [.video]]))
    #expect(list.participants == [Self.participant("a")])
  }

  @Test(
    "LB-17 A track that is no longer published is not paused; other types are unaffected",
    arguments: [TrackType.audio, .video, .screenShare])
  func unpublishingATrackEndsItsPause(type: TrackType) {
    let all: Set<TrackType> = [.audio, .video, .screenShare]
    var list = ParticipantList([Self.participant("a", paused: all)])
    list.unpublish(type, by: "a")
    list.unpublish(type, by: "ghost")
    #expect(list["a"]?.pausedTracks == all.subtracting([type]))
    #expect(list["a"]?.publishedTracks.contains(type) == false)
    #expect((list["a"]?.track == nil) == (type == .video))
    list.publish(type, by: "a")
    #expect(list["a"]?.pausedTracks == all.subtracting([type]))
    #expect(list["a"]?.publishedTracks.contains(type) == true)
  }

  @Test("LB-14 The track types are distinguished")
  func trackTypesAreDistinguished() {
    let types: [TrackType] = [.audio, .video, .screenShare, .screenShareAudio]
    for type in types {
      let participant = Self.participant("a", paused: [type], published: [type])
      #expect(types.filter(participant.pausedTracks.contains) == [type])
      #expect(participant.hasVideo == (type == .video))
      #expect(participant.hasAudio == (type == .audio))
      #expect(participant.isScreenSharing == (type == .screenShare))
    }
  }

  @Test("LB-15 The list can be filtered by what is paused, and observed until cancelled")
  func pausedParticipantsCanBeObserved() {
    let call = ObservedValue(ParticipantList(["a", "b", "c"].map { Self.participant($0) }))
    var told: [[ParticipantID]] = []
    let subscription = call.sink { told.append($0.paused(.video).map(\.id)) }
    call.update { $0.apply(PausedTracksChange(paused: ["c": [.video], "a": [.video]])) }
    call.update { $0.apply(PausedTracksChange(paused: ["b": [.screenShare]])) }
    // Nothing has changed, so observers receive nothing.
    call.update { $0.apply(PausedTracksChange(paused: ["a": [.video]])) }
    call.update { $0.apply(PausedTracksChange(resumed: ["a": [.video]])) }
    subscription.cancel()
    call.update { $0.apply(PausedTracksChange(resumed: ["c": [.video]])) }
    #expect(told == [[], ["a", "c"], ["a", "c"], ["c"]])
  }

  // MARK: Drawing

  @Test("LB-18 The indicator is shown if and only if the camera is paused")
  func theIndicatorIsShownOnlyForAPausedCamera() {
    let types: [TrackType] = [.audio, .video, .screenShare, .screenShareAudio]
    // Every subset of the four types.
    for bits in 0..<16 {
      let paused = Set(types.indices.filter { bits >> $0 & 1 == 1 }.map { types[$0] })
      let isShown = PausedVideoIndicator.isShown(for: Self.participant("a", paused: paused))
      #expect(isShown == (bits & 2 != 0))
    }
  }

  @Test("VR-04 A track that is not to be shown is not thereby paused")
  func anUnwantedTrackIsNotPaused() {
    var participant = Self.participant("a")
    participant.showsTrack = false
    #expect(!participant.shouldDisplayTrack)
    #expect(participant.pausedTracks.isEmpty)
    #expect(!PausedVideoIndicator.isShown(for: participant))
  }

  @Test("VR-02 LB-05 A picture is drawn if there is video, wanted, with a track, and not paused")
  func aPictureIsDrawnOnlyWithAWantedTrack() {
    for bits in 0..<16 {
      let (hasVideo, shows, hasTrack, isPaused) =
        (bits & 1 != 0, bits & 2 != 0, bits & 4 != 0, bits & 8 != 0)
      var participant = Self.participant(
        "a", paused: isPaused ? [.video] : [.audio], published: hasVideo ? [.video] : [.audio])
      participant.showsTrack = shows
      if !hasTrack { participant.track = nil }
      // Only one of the sixteen cases holds: the first three bits set, the last one not.
      #expect(participant.shouldDisplayTrack == (bits == 7))
    }
  }

  // MARK: Joining and leaving

  @Test("LB-15 The list keeps the order of joining, and has each id once")
  func theListKeepsTheOrderOfJoining() {
    var list = ParticipantList()
    #expect(list.participants.isEmpty && list["a"] == nil)
    for id in ["b", "a", "c"] as [ParticipantID] { list.join(CallParticipant(id: id)) }
    list.join(CallParticipant(id: "a", name: "again"))
    #expect(list.participants.map(\.id) == ["b", "a", "c"])
    #expect(list["a"]?.name == "")
    list.leave("b")
    list.leave("ghost")
    #expect(list.participants.map(\.id) == ["a", "c"])
  }

  // MARK: Order

  @Test("IV-23 Participants can be ordered by what is known about them")
  func participantsCanBeOrdered() {
    // Join time, speaking time, name, moderator, pinned, audio: each gives a different order.
    let facts: [(ParticipantID, Int64, Int64, String, Bool, Bool, Bool)] = [
      ("p1", 30, 5, "bob", false, true, false), ("p2", 10, 50, "Alice", false, false, true),
      ("p3", 20, 0, "carol", true, false, false), ("p4", 40, 20, "", false, false, true),
    ]
    let participants = facts.map { id, joined, spoke, name, isModerator, isPinned, hasAudio in
      var participant = CallParticipant(id: id, name: name)
      participant.joinedAt = .seconds(joined)
      participant.dominantSpeakerTime = .seconds(spoke)
      participant.isModerator = isModerator
      participant.isPinned = isPinned
      participant.publishedTracks = hasAudio ? [.audio] : []
      return participant
    }
    let expected: [(ParticipantOrder, [ParticipantID])] = [
      (.joinTime, ["p2", "p3", "p1", "p4"]), (.speakers, ["p2", "p4", "p1", "p3"]),
      (.alphabetical, ["p2", "p1", "p3", "p4"]), (.moderatorsFirst, ["p3", "p1", "p2", "p4"]),
      (.pinnedFirst, ["p1", "p2", "p3", "p4"]), (.unmutedFirst, ["p2", "p4", "p1", "p3"]),
      (.moderatorsFirst.then(.joinTime), ["p3", "p2", "p1", "p4"]),
      (.unmutedFirst.then(.pinnedFirst).then(.joinTime), ["p2", "p4", "p1", "p3"]),
      (ParticipantOrder(by: \.name.count), ["p4", "p1", "p2", "p3"]),
    ]
    for (order, ids) in expected { #expect(order.sorted(participants).map(\.id) == ids) }
    #expect(ParticipantOrder.speakers.sorted([]).isEmpty)
  }
}
