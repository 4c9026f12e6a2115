import TestSupport
import Testing
import VideoPause

@testable import CallPresentation

@Suite struct VideoRenderingTests {
  let start = Timestamp.seconds(1)
  let bounds = ViewSize(width: 100, height: 50)

  let tracked = participant("a", hasTrack: true)
  let trackless = participant("a", hasTrack: false)
  let track = StreamID(participant: "a")

  /// Returns a participant with a track or without one, and nothing else.
  static func participant(_ id: ParticipantID, hasTrack: Bool) -> CallParticipant {
    var participant = CallParticipant(id: id)
    if hasTrack { participant.track = StreamID(participant: id) }
    return participant
  }

  /// Renders with these bounds and a scale of 2.
  private func render(
    _ view: PlainView, for participant: CallParticipant,
    in rendering: inout VideoRendering<PlainView>
  ) -> [ViewChange<PlainView>] {
    rendering.handleViewRendering(
      of: view, for: participant, bounds: bounds, scale: 2, at: start)
  }

  @Test("VR-02 Without a track, nothing is attached and no size is reported")
  func withoutATrackNothingIsAttached() {
    var rendering = VideoRendering<PlainView>()
    let changes = render(PlainView(), for: trackless, in: &rendering)
    let reports = rendering.sizes.reports(at: start.advanced(by: .seconds(1)))
    #expect(changes == [])
    #expect(reports == [])
    #expect(rendering.attachments.attachedViews.isEmpty)
  }

  @Test("VR-01 VR-08 Before any meeting, a track is attached at once, and its size reported later")
  func aRenderingAttachesAtOnceAndReportsLater() {
    var rendering = VideoRendering<PlainView>()
    let view = PlainView()
    let changes = render(view, for: tracked, in: &rendering)
    #expect(changes == [.attached(track, to: view)])
    let early = rendering.sizes.reports(at: start.advanced(by: .milliseconds(9)))
    let onTime = rendering.sizes.reports(at: start.advanced(by: .milliseconds(10)))
    #expect(early == [])
    #expect(onTime.map(\.size) == [VideoSize(width: 200, height: 100)])
  }

  @Test("VR-08 Rendering again attaches nothing")
  func renderingAgainAttachesNothing() {
    var rendering = VideoRendering<PlainView>()
    let view = PlainView()
    _ = render(view, for: tracked, in: &rendering)
    let again = render(view, for: tracked, in: &rendering)
    #expect(again == [])
  }

  // MARK: Pausing

  @Test("VR-01 IV-24 A track rendered while it is paused needs no other call when it comes back")
  func aTrackRenderedWhilePausedNeedsNoOtherCall() {
    var rendering = VideoRendering<PlainView>()
    let view = PlainView()
    _ = rendering.attachments.setMeeting(participants: ["a"], videoStreams: [])
    var paused = tracked
    paused.pausedTracks = [.video]
    let whilePaused = render(view, for: paused, in: &rendering)
    #expect(whilePaused == [.attached(track, to: view)])
    let back = rendering.attachments.setMeeting(participants: ["a"], videoStreams: [track])
    #expect(back == [])
    #expect(rendering.attachments.attachedViews[track] === view)
  }

  @Test("VR-02 VR-08 A view without a track gets the one that comes, once, and its size later")
  func aViewGetsTheTrackThatComes() {
    var rendering = VideoRendering<PlainView>()
    let view = PlainView()
    _ = render(view, for: trackless, in: &rendering)
    let comes = start.advanced(by: .seconds(1))
    let none = rendering.participantsChanged(ParticipantList([trackless]), at: comes)
    #expect(none == [])
    let first = rendering.participantsChanged(ParticipantList([tracked]), at: comes)
    #expect(first == [.attached(track, to: view)])
    let again = rendering.participantsChanged(ParticipantList([tracked]), at: comes)
    #expect(again == [])
    let early = rendering.sizes.reports(at: comes.advanced(by: .milliseconds(9)))
    let onTime = rendering.sizes.reports(at: comes.advanced(by: .milliseconds(10)))
    #expect(early == [])
    #expect(onTime.map(\.size) == [VideoSize(width: 200, height: 100)])
  }

  @Test("VR-17 Tracks that come together are attached in the order of their participants")
  func tracksThatComeTogetherAreAttachedInOrder() {
    var rendering = VideoRendering<PlainView>()
    let ids: [ParticipantID] = ["c", "a", "d", "b"]
    let views = ids.map { _ in PlainView() }
    for (id, view) in zip(ids, views) {
      _ = render(view, for: Self.participant(id, hasTrack: false), in: &rendering)
    }
    let list = ParticipantList(ids.map { Self.participant($0, hasTrack: $0 != "d") })
    let changes = rendering.participantsChanged(list, at: start)
    #expect(
      changes == [
        .attached(track, to: views[1]), .attached(StreamID(participant: "b"), to: views[3]),
        .attached(StreamID(participant: "c"), to: views[0]),
      ])
  }

  @Test("VR-02 A participant whose track goes keeps the view, and the track returns to it")
  func aTrackThatGoesReturnsToItsView() {
    var rendering = VideoRendering<PlainView>()
    let view = PlainView()
    _ = render(view, for: tracked, in: &rendering)
    let gone = render(view, for: trackless, in: &rendering)
    let back = rendering.participantsChanged(ParticipantList([tracked]), at: start)
    #expect(gone == [] && back == [])
    #expect(rendering.attachments.stream(in: view) == track)
  }

  // MARK: Views that are used again, removed or released

  @Test("VR-05 A view that is used for another participant shows and awaits the former one no more")
  func aViewUsedAgainForgetsTheFormerParticipant() {
    let b = StreamID(participant: "b")
    var rendering = VideoRendering<PlainView>()
    let view = PlainView()
    _ = render(view, for: tracked, in: &rendering)
    let other = render(view, for: Self.participant("b", hasTrack: false), in: &rendering)
    #expect(other == [.detached(track, from: view)])
    let comes = rendering.participantsChanged(
      ParticipantList([tracked, Self.participant("b", hasTrack: true)]), at: start)
    #expect(comes == [.attached(b, to: view)])
    let former = render(view, for: Self.participant("c", hasTrack: true), in: &rendering)
    #expect(
      former == [.detached(b, from: view), .attached(StreamID(participant: "c"), to: view)])
    let late = rendering.participantsChanged(ParticipantList([tracked]), at: start)
    #expect(late == [])
  }

  @Test("VR-21 A removed view is detached, awaits no track, and reports no size")
  func aRemovedViewAwaitsNothing() {
    var rendering = VideoRendering<PlainView>()
    let view = PlainView()
    _ = render(view, for: tracked, in: &rendering)
    let removed = rendering.viewRemoved(view)
    #expect(removed == [.detached(track, from: view)])
    #expect(rendering.sizes.nextReportAt == nil)
    _ = render(view, for: trackless, in: &rendering)
    let nothing = rendering.viewRemoved(view)
    let late = rendering.participantsChanged(ParticipantList([tracked]), at: start)
    #expect(nothing == [] && late == [])
  }

  @Test("VR-21 A view that was released awaits no track")
  func aReleasedViewAwaitsNothing() {
    var rendering = VideoRendering<PlainView>()
    do {
      let view = PlainView()
      _ = render(view, for: trackless, in: &rendering)
      withExtendedLifetime(view) {}
    }
    let changes = rendering.participantsChanged(ParticipantList([tracked]), at: start)
    #expect(changes == [])
    #expect(rendering.attachments.attachedViews.isEmpty)
  }

  @Test(
    "VR-17 After any sequence, a view shows its last participant, if there is a track, and nobody else",
    arguments: 0..<8)
  func anySequenceShowsTheLastParticipant(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let views = (0..<4).map { _ in PlainView() }
    let ids: [ParticipantID] = ["a", "b", "c", "d", "e"]
    var rendering = VideoRendering<PlainView>()
    var participants = ids.map { Self.participant($0, hasTrack: false) }
    /// The last participant of each view, and the last view of each participant.
    var (lastParticipant, lastView) = ([Int: Int](), [Int: Int]())
    func check() {
      for (number, view) in views.enumerated() {
        guard let shown = rendering.attachments.stream(in: view) else { continue }
        #expect(shown.participant == lastParticipant[number].map { ids[$0] })
      }
    }
    for _ in 0..<1_000 {
      let (place, view) = (
        Int.random(in: ids.indices, using: &random), Int.random(in: views.indices, using: &random)
      )
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        _ = rendering.viewRemoved(views[view])
        lastParticipant[view] = nil
      case 1:
        let hasTrack = participants[place].track == nil
        participants[place] = Self.participant(ids[place], hasTrack: hasTrack)
        _ = rendering.participantsChanged(ParticipantList(participants), at: start)
      default:
        _ = render(views[view], for: participants[place], in: &rendering)
        (lastParticipant[view], lastView[place]) = (place, view)
      }
      check()
    }
    participants = ids.map { Self.participant($0, hasTrack: true) }
    _ = rendering.participantsChanged(ParticipantList(participants), at: start)
    check()
    for (view, place) in lastParticipant where lastView[place] == view {
      #expect(rendering.attachments.stream(in: views[view])?.participant == ids[place])
    }
  }

  // MARK: The guide

  @Test("VR-01 VR-07 VR-08 The guide's example: a track that returns is attached without a call")
  func theGuidesExample() {
    let call = ObservedValue(ParticipantList([trackless]))
    var rendering = VideoRendering<PlainView>()
    var changes: [ViewChange<PlainView>] = []
    let following = call.sink { changes += rendering.participantsChanged($0, at: start) }
    let view = PlainView()
    for participant in call.value.participants {
      VideoRendererView<PlainView>(
        id: participant.id.rawValue, size: bounds, contentMode: .scaleAspectFill
      ) { view in
        changes += rendering.handleViewRendering(
          of: view, for: participant, bounds: bounds, scale: 2, at: start)
      }.render(view)
    }
    #expect(changes == [])
    call.update { $0.update("a") { $0.track = track } }
    #expect(changes == [.attached(track, to: view)])
    following.cancel()
  }

  // MARK: Descriptions

  @Test("VR-07 A described view has an id, a size and a mode, and hands over the real view")
  func aDescribedViewHandsOverTheRealView() {
    var rendered: [PlainView] = []
    let described = VideoRendererView<PlainView>(
      id: "tile-7", size: ViewSize(width: 10, height: 20)
    ) { rendered.append($0) }
    #expect(described.id == "tile-7")
    #expect(described.size == ViewSize(width: 10, height: 20))
    #expect(described.contentMode == .scaleAspectFill)
    #expect(rendered.isEmpty)
    let (first, second) = (PlainView(), PlainView())
    for view in [first, second, first] { described.render(view) }
    #expect(
      rendered.map(ObjectIdentifier.init) == [first, second, first].map(ObjectIdentifier.init))
  }
}
