import TestSupport
import Testing
import VideoPause

@testable import CallPresentation

/// A view as the registry sees it: an object with an identity.
final class PlainView: Sendable {}

@Suite struct ViewAttachmentTests {
  static let camera = StreamID(participant: "a")
  static let share = StreamID(participant: "a", trackType: .screenShare)
  static let other = StreamID(participant: "b")

  /// Returns a registry in a meeting with a (camera and screen share), b (camera) and c (no video).
  static func inMeeting() -> ViewAttachmentRegistry<PlainView> {
    var registry = ViewAttachmentRegistry<PlainView>()
    _ = registry.setMeeting(
      participants: ["a", "b", "c"], videoStreams: [camera, share, other])
    return registry
  }

  // MARK: Failures

  @Test("IV-24 Attaching fails outside a meeting, for an unknown participant, and without a stream")
  func attachingNeedsAMeetingAndAKnownStream() {
    let view = PlainView()
    var outside = ViewAttachmentRegistry<PlainView>()
    let early = outside.attach(Self.camera, to: view)
    #expect(early == .failure(.notInMeeting))

    var registry = Self.inMeeting()
    let ghost = registry.attach(StreamID(participant: "ghost"), to: view)
    #expect(ghost == .failure(.noParticipantWithId("ghost")))
    let noVideo = registry.attach(StreamID(participant: "c"), to: view)
    #expect(noVideo == .failure(.noStreamForParticipantId("c")))
    let noShare = registry.attach(
      StreamID(participant: "b", trackType: .screenShare), to: view)
    #expect(noShare == .failure(.noStreamForParticipantId("b")))
    let attached = registry.attachedViews
    #expect(attached.isEmpty)

    _ = registry.endMeeting()
    let late = registry.attach(Self.camera, to: view)
    #expect(late == .failure(.notInMeeting))
  }

  @Test("IV-24 A failure leaves the view unchanged")
  func aFailureLeavesTheViewUnchanged() {
    let view = PlainView()
    var registry = Self.inMeeting()
    _ = registry.attach(Self.camera, to: view)
    _ = registry.attach(StreamID(participant: "ghost"), to: view)
    #expect(registry.stream(in: view) == Self.camera)
  }

  @Test("IV-25 Detaching fails outside a meeting and for a stream that is not attached")
  func detachingNeedsAMeetingAndAnAttachedStream() {
    let view = PlainView()
    var outside = ViewAttachmentRegistry<PlainView>()
    let early = outside.detach(Self.camera)
    #expect(early == .failure(.notInMeeting))

    var registry = Self.inMeeting()
    let never = registry.detach(Self.camera)
    #expect(never == .failure(.notAttached(Self.camera)))
    _ = registry.attach(Self.camera, to: view)
    let otherTrack = registry.detach(Self.share)
    #expect(otherTrack == .failure(.notAttached(Self.share)))
    let first = registry.detach(Self.camera)
    let second = registry.detach(Self.camera)
    #expect(first == .success([.detached(Self.camera, from: view)]))
    #expect(second == .failure(.notAttached(Self.camera)))
  }

  @Test("IV-25 What is attached outside a meeting can be detached there")
  func whatIsAttachedOutsideAMeetingCanBeDetached() {
    let view = PlainView()
    var registry = ViewAttachmentRegistry<PlainView>()
    _ = registry.show(Self.camera, in: view)
    let first = registry.detach(Self.camera)
    let second = registry.detach(Self.camera)
    #expect(first == .success([.detached(Self.camera, from: view)]))
    #expect(second == .failure(.notInMeeting))
  }

  @Test("IV-24 IV-25 Every failure names the cause and the remedy")
  func everyFailureNamesTheCauseAndTheRemedy() {
    let failures: [any CustomStringConvertible] = [
      AttachParticipantStreamFailure.notInMeeting,
      AttachParticipantStreamFailure.noParticipantWithId("p7"),
      AttachParticipantStreamFailure.noStreamForParticipantId("p7"),
      DetachParticipantStreamFailure.notInMeeting,
      DetachParticipantStreamFailure.notAttached(Self.share),
    ]
    let texts = failures.map(\.description)
    #expect(Set(texts).count == texts.count)
    #expect(texts[1].contains("p7") && texts[2].contains("p7"))
    #expect(texts[4].contains("a/screenShare"))
  }

  // MARK: Attaching

  @Test("IV-01 IV-03 VR-01 Each participant's stream has its own view")
  func eachStreamHasItsOwnView() {
    var registry = ViewAttachmentRegistry<PlainView>()
    let streams = (0..<25).map { StreamID(participant: ParticipantID("p\($0)")) }
    _ = registry.setMeeting(
      participants: Set(streams.map(\.participant)), videoStreams: Set(streams))
    let views = streams.map { _ in PlainView() }
    for (stream, view) in zip(streams, views) {
      let result = registry.attach(stream, to: view)
      #expect(result == .success([.attached(stream, to: view)]))
    }
    for (stream, view) in zip(streams, views) {
      #expect(registry.stream(in: view) == stream)
      #expect(registry.attachedViews[stream] === view)
    }
  }

  @Test("VR-05 A new track replaces the old one, which is detached first")
  func aNewTrackReplacesTheOldOne() {
    let view = PlainView()
    var registry = Self.inMeeting()
    _ = registry.attach(Self.camera, to: view)
    let result = registry.attach(Self.other, to: view)
    #expect(
      result
        == .success([.detached(Self.camera, from: view), .attached(Self.other, to: view)]))
    #expect(registry.attachedViews.keys.sorted() == [Self.other])
  }

  @Test("VR-05 Attaching the same track changes nothing, not even the content mode")
  func attachingTheSameTrackChangesNothing() {
    let view = PlainView()
    var registry = Self.inMeeting()
    _ = registry.attach(Self.camera, to: view)
    registry.setContentMode(.scaleToFill, of: view)
    let again = registry.attach(Self.camera, to: view)
    #expect(again == .success([]))
    #expect(registry.contentMode(of: view) == .scaleToFill)
  }

  @Test("VR-06 A view reports its track, and none if it has no track or is unknown")
  func aViewReportsItsTrack() {
    let view = PlainView()
    var registry = Self.inMeeting()
    let before = registry.stream(in: view)
    _ = registry.attach(Self.share, to: view)
    let during = registry.stream(in: view)
    _ = registry.detach(Self.share)
    let after = registry.stream(in: view)
    #expect(before == nil)
    #expect(during == Self.share)
    #expect(after == nil)
  }

  @Test("IV-26 A stream that enters a second view leaves the first one before that")
  func aStreamLeavesItsFirstViewForASecond() {
    let (old, new) = (PlainView(), PlainView())
    var registry = Self.inMeeting()
    _ = registry.attach(Self.camera, to: old)
    let result = registry.attach(Self.camera, to: new)
    #expect(
      result
        == .success([.detached(Self.camera, from: old), .attached(Self.camera, to: new)]))
    #expect(registry.stream(in: old) == nil)
  }

  @Test("IV-26 A stream that takes another stream's view leaves its own view empty")
  func takingAnotherStreamsViewLeavesOneEmpty() {
    let (viewA, viewB) = (PlainView(), PlainView())
    var registry = Self.inMeeting()
    _ = registry.attach(Self.camera, to: viewA)
    _ = registry.attach(Self.other, to: viewB)
    let result = registry.attach(Self.camera, to: viewB)
    #expect(
      result
        == .success([
          .detached(Self.camera, from: viewA), .detached(Self.other, from: viewB),
          .attached(Self.camera, to: viewB),
        ]))
  }

  @Test("IV-26 A participant's camera and screen share are two streams, for two views")
  func cameraAndScreenShareAreTwoStreams() {
    let (small, large) = (PlainView(), PlainView())
    var registry = Self.inMeeting()
    _ = registry.attach(Self.camera, to: small)
    let result = registry.attach(Self.share, to: large)
    #expect(result == .success([.attached(Self.share, to: large)]))
    #expect(registry.attachedViews.count == 2)
  }

  // MARK: Views and meetings that end

  @Test("IV-27 Views are held weakly: a released view is no longer attached")
  func viewsAreHeldWeakly() {
    var registry = Self.inMeeting()
    let (detached, reattached, count) = dropView(&registry)
    #expect(count == 0)
    #expect(detached == .failure(.notAttached(Self.camera)))
    // There was nothing to detach from the view that no longer exists.
    #expect(reattached == 1)
  }

  private func dropView(
    _ registry: inout ViewAttachmentRegistry<PlainView>
  ) -> (DetachParticipantStreamResult<PlainView>, Int?, Int) {
    do {
      let view = PlainView()
      _ = registry.attach(Self.camera, to: view)
      withExtendedLifetime(view) {}
    }
    let count = registry.attachedViews.count
    let detached = registry.detach(Self.camera)
    let next = PlainView()
    let changes = try? registry.attach(Self.camera, to: next).get()
    return (detached, changes?.count, count)
  }

  @Test("VR-21 Removing a view from the hierarchy detaches it, once")
  func removingAViewDetachesItOnce() {
    let view = PlainView()
    var registry = Self.inMeeting()
    _ = registry.attach(Self.camera, to: view)
    let first = registry.viewRemoved(view)
    let second = registry.viewRemoved(view)
    #expect(first == [.detached(Self.camera, from: view)])
    #expect(second == [])
    #expect(registry.attachedViews.isEmpty)
  }

  @Test("VR-21 The end of the call releases every view, in the order of the streams")
  func theEndOfTheCallReleasesEveryView() {
    let views = [PlainView(), PlainView(), PlainView()]
    var registry = Self.inMeeting()
    for (stream, view) in zip([Self.other, Self.share, Self.camera], views) {
      _ = registry.attach(stream, to: view)
    }
    let changes = registry.endMeeting()
    let again = registry.endMeeting()
    #expect(
      changes == [
        .detached(Self.share, from: views[1]), .detached(Self.camera, from: views[2]),
        .detached(Self.other, from: views[0]),
      ])
    #expect(again == [])
  }

  @Test("VR-21 A participant who leaves the call releases their views; the others stay")
  func aParticipantWhoLeavesReleasesTheirViews() {
    let views = [PlainView(), PlainView(), PlainView()]
    var registry = Self.inMeeting()
    for (stream, view) in zip([Self.camera, Self.share, Self.other], views) {
      _ = registry.attach(stream, to: view)
    }
    let changes = registry.setMeeting(participants: ["b"], videoStreams: [Self.other])
    #expect(
      changes == [
        .detached(Self.share, from: views[1]), .detached(Self.camera, from: views[0]),
      ])
    #expect(registry.stream(in: views[2]) == Self.other)
  }

  @Test("IV-24 A paused stream keeps its view, and resumes without being attached again")
  func aPausedStreamKeepsItsView() {
    let view = PlainView()
    var registry = Self.inMeeting()
    _ = registry.attach(Self.camera, to: view)
    let paused = registry.setMeeting(participants: ["a", "b"], videoStreams: [Self.other])
    #expect(paused == [])
    #expect(registry.stream(in: view) == Self.camera)
    // While it is not received, it cannot be attached to another view.
    let elsewhere = registry.attach(Self.camera, to: PlainView())
    #expect(elsewhere == .failure(.noStreamForParticipantId("a")))
  }

  // MARK: Content mode

  @Test("IV-28 A new default mode applies to views that are attached afterwards")
  func aNewDefaultModeAppliesToLaterViews() {
    let (early, late) = (PlainView(), PlainView())
    var registry = Self.inMeeting()
    _ = registry.attach(Self.camera, to: early)
    registry.defaultContentMode = .scaleAspectFill
    _ = registry.attach(Self.other, to: late)
    #expect(registry.contentMode(of: early) == .scaleAspectFit)
    #expect(registry.contentMode(of: late) == .scaleAspectFill)
  }

  @Test("IV-28 The mode of one view can be changed; a view without video has none")
  func theModeOfOneViewCanBeChanged() {
    let (one, two, empty) = (PlainView(), PlainView(), PlainView())
    var registry = Self.inMeeting()
    _ = registry.attach(Self.camera, to: one)
    _ = registry.attach(Self.other, to: two)
    registry.setContentMode(.scaleToFill, of: one)
    registry.setContentMode(.scaleToFill, of: empty)
    #expect(registry.contentMode(of: one) == .scaleToFill)
    #expect(registry.contentMode(of: two) == .scaleAspectFit)
    #expect(registry.contentMode(of: empty) == nil)
  }
}

/// Random meetings, compared with a separately maintained list of pairs.
@Suite struct ViewAttachmentSequenceTests {
  @Test(
    "IV-26 IV-27 VR-17 After any sequence, a stream has one view, and the changes add up to the map",
    arguments: 0..<8)
  func anySequenceKeepsOneViewPerStream(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let views = (0..<5).map { _ in PlainView() }
    let streams = (0..<6).map { StreamID(participant: ParticipantID("p\($0)")) }
    var registry = ViewAttachmentRegistry<PlainView>()
    _ = registry.setMeeting(
      participants: Set(streams.map(\.participant)), videoStreams: Set(streams))
    var expected: [(stream: Int, view: Int)] = []
    var replayed: [StreamID: PlainView] = [:]
    for _ in 0..<2_000 {
      let (stream, view) = (
        Int.random(in: 0..<6, using: &random), Int.random(in: 0..<5, using: &random)
      )
      var changes: [ViewChange<PlainView>] = []
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        changes = registry.viewRemoved(views[view])
        expected.removeAll { $0.view == view }
      case 1:
        changes = (try? registry.detach(streams[stream]).get()) ?? []
        expected.removeAll { $0.stream == stream }
      default:
        changes = (try? registry.attach(streams[stream], to: views[view]).get()) ?? []
        expected.removeAll { $0.view == view || $0.stream == stream }
        expected.append((stream, view))
      }
      for change in changes { replay(change, in: &replayed) }
      #expect(same(registry.attachedViews, replayed))
      #expect(replayed.count == expected.count)
      #expect(expected.allSatisfy { replayed[streams[$0.stream]] === views[$0.view] })
    }
  }

  /// Applies a change, and checks that it is possible: nothing is detached that is not attached, and nothing is
  /// attached to an occupied view.
  private func replay(
    _ change: ViewChange<PlainView>, in shown: inout [StreamID: PlainView]
  ) {
    switch change {
    case .detached(let stream, let view):
      #expect(shown[stream] === view)
      shown[stream] = nil
    case .attached(let stream, let view):
      #expect(shown[stream] == nil && !shown.values.contains { $0 === view })
      shown[stream] = view
    }
  }

  private func same(_ a: [StreamID: PlainView], _ b: [StreamID: PlainView]) -> Bool {
    a.count == b.count && a.allSatisfy { b[$0.key] === $0.value }
  }
}
