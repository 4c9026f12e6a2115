import Testing
import VideoPause

@testable import CallPresentation

@Suite struct VideoRenderingTests {
  let start = Timestamp.seconds(1)
  let bounds = ViewSize(width: 100, height: 50)

  /// Returns a rendering in a meeting with a participant whose camera is received.
  private func rendering() -> (VideoRendering<PlainView>, CallParticipant) {
    var participant = CallParticipant(id: "a")
    participant.track = StreamID(participant: "a")
    var rendering = VideoRendering<PlainView>()
    _ = rendering.attachments.setMeeting(
      participants: ["a"], videoStreams: [StreamID(participant: "a")])
    return (rendering, participant)
  }

  @Test("VR-02 Without a track, nothing is attached and no size is reported")
  func withoutATrackNothingIsAttached() {
    var (rendering, participant) = rendering()
    participant.track = nil
    let result = rendering.handleViewRendering(
      of: PlainView(), for: participant, bounds: bounds, scale: 2, at: start)
    let reports = rendering.sizes.reports(at: start.advanced(by: .seconds(1)))
    #expect(result == .success([]))
    #expect(reports == [])
    #expect(rendering.attachments.attachedViews.isEmpty)
  }

  @Test("VR-01 VR-08 A rendering attaches the track at once and reports the size 10 ms later")
  func aRenderingAttachesAtOnceAndReportsLater() {
    var (rendering, participant) = rendering()
    let view = PlainView()
    let result = rendering.handleViewRendering(
      of: view, for: participant, bounds: bounds, scale: 2, at: start)
    #expect(result == .success([.attached(StreamID(participant: "a"), to: view)]))
    let early = rendering.sizes.reports(at: start.advanced(by: .milliseconds(9)))
    let onTime = rendering.sizes.reports(at: start.advanced(by: .milliseconds(10)))
    #expect(early == [])
    #expect(onTime.map(\.size) == [VideoSize(width: 200, height: 100)])
  }

  @Test("VR-08 Rendering again attaches nothing")
  func renderingAgainAttachesNothing() {
    var (rendering, participant) = rendering()
    let view = PlainView()
    _ = rendering.handleViewRendering(
      of: view, for: participant, bounds: bounds, scale: 2, at: start)
    let again = rendering.handleViewRendering(
      of: view, for: participant, bounds: bounds, scale: 2, at: start)
    #expect(again == .success([]))
  }

  @Test("VR-02 A track that cannot be attached reports no size")
  func aTrackThatCannotBeAttachedReportsNoSize() {
    var (rendering, participant) = rendering()
    _ = rendering.attachments.endMeeting()
    let result = rendering.handleViewRendering(
      of: PlainView(), for: participant, bounds: bounds, scale: 2, at: start)
    #expect(result == .failure(.notInMeeting))
    #expect(rendering.sizes.nextReportAt == nil)
  }

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
