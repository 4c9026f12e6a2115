import Testing
import VideoPause

@testable import CallPresentation

@Suite struct MirroringTests {
  @Test("VR-20 Only the user's own front camera is mirrored automatically; on and off prevail")
  func onlyTheUsersFrontCameraIsMirroredAutomatically() {
    // The complete table. An unknown camera, such as a computer's, counts as facing the user.
    let cases: [(isLocal: Bool, camera: CameraPosition?, automatic: Bool)] = [
      (true, .front, true), (true, .back, false), (true, nil, true),
      (false, .front, false), (false, .back, false), (false, nil, false),
    ]
    for (isLocal, camera, automatic) in cases {
      #expect(
        Mirroring.isMirrored(isLocal: isLocal, camera: camera, mode: .automatic) == automatic)
      #expect(Mirroring.isMirrored(isLocal: isLocal, camera: camera, mode: .on))
      #expect(!Mirroring.isMirrored(isLocal: isLocal, camera: camera, mode: .off))
    }
  }

  @Test("VR-19 Nobody is local without a call, or before joining it")
  func nobodyIsLocalOutsideACall() {
    let alone = CallState(localParticipant: nil)
    let joined = CallState(localParticipant: "me")
    #expect(!Mirroring.isLocal("me", activeCall: nil))
    #expect(!Mirroring.isLocal("me", activeCall: alone))
    #expect(Mirroring.isLocal("me", activeCall: joined))
    #expect(!Mirroring.isLocal("Me", activeCall: joined))
    #expect(!Mirroring.isLocal("", activeCall: alone))
  }

  @Test("VR-18 The stock view mirrors the user's own picture, and nobody else's")
  func theStockViewMirrorsOnlyTheUser() {
    var me = CallParticipant(id: "me")
    let other = CallParticipant(id: "other")
    let call = CallState(participants: ParticipantList([me, other]), localParticipant: "me")
    #expect(view(of: me, in: call).isMirrored)
    #expect(!view(of: other, in: call).isMirrored)
    #expect(!view(of: me, in: nil).isMirrored)
    me.camera = .back
    #expect(!view(of: me, in: call).isMirrored)
  }

  @Test("VR-18 Mirroring turns by 180° about the vertical axis through the centre")
  func mirroringTurnsAboutTheVerticalAxis() {
    let container = Rectangle(x: 10, y: 20, width: 100, height: 50)
    // A rectangle at the left edge, 5 wide, moves to the right edge. Height and y are unchanged.
    #expect(
      Rectangle(x: 10, y: 30, width: 5, height: 7).mirrored(in: container)
        == Rectangle(x: 105, y: 30, width: 5, height: 7))
    #expect(container.mirrored(in: container) == container)
    for x in stride(from: -30.0, through: 130, by: 12.5) {
      let place = Rectangle(x: x, y: 1, width: 25, height: 2)
      let there = place.mirrored(in: container)
      // A point's distance from the axis changes its sign: the left edge becomes the right one.
      #expect(there.x + there.width - 60 == 60 - place.x)
      #expect(there.mirrored(in: container) == place)
    }
  }

  private func view(of participant: CallParticipant, in call: CallState?) -> VideoParticipantView {
    DefaultViewFactory().makeVideoParticipantView(
      participant: participant, id: participant.id.rawValue,
      availableFrame: Rectangle(width: 1, height: 1), contentMode: .gridDefault, customData: [:],
      call: call)
  }
}
