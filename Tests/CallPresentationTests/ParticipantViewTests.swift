import Testing
import VideoPause

@testable import CallPresentation

@Suite struct ParticipantInfoTests {
  @Test(
    "LB-19 LB-22 Pin, name, paused icon and sound have this order; icons are there if they apply"
  )
  func theItemsHaveAFixedOrder() {
    for (isPinned, isPaused) in [(false, false), (true, false), (false, true), (true, true)] {
      var participant = CallParticipant(id: "a", name: "Ann")
      participant.publishedTracks = [.audio]
      if isPaused { participant.pausedTracks = [.video] }
      let info = ParticipantInfo(participant: participant, isPinned: isPinned)
      var expected: [ParticipantInfo.Item] = []
      if isPinned { expected.append(.icon(Symbol(rawValue: "pin.fill"))) }
      expected.append(.name("Ann"))
      if isPaused { expected.append(.icon(Symbol(rawValue: "wifi.slash"))) }
      expected.append(.sound(.silent))
      #expect(info.items == expected)
    }
  }

  @Test("LB-19 The caller decides whether the pin is shown, not the participant")
  func theCallerDecidesWhetherThePinIsShown() {
    var participant = CallParticipant(id: "a")
    participant.isPinned = true
    let info = ParticipantInfo(participant: participant, isPinned: false)
    #expect(!info.items.contains(.icon(.pin)))
  }

  @Test("LB-20 Without a name, the id is shown, on one line")
  func theIDReplacesAMissingName() {
    for (name, shown) in [("", "id-7"), ("Ann", "Ann"), (" ", " ")] {
      let info = ParticipantInfo(
        participant: CallParticipant(id: "id-7", name: name), isPinned: false)
      #expect(info.items.first == .name(shown))
    }
    #expect(ParticipantInfo.Metrics.nameLineLimit == 1)
  }

  @Test("LB-21 Icons are 14 points high by default; the row has its documented sizes")
  func iconsAre14PointsHighByDefault() {
    let participant = CallParticipant(id: "a")
    #expect(ParticipantInfo(participant: participant, isPinned: false).maxHeight == 14)
    #expect(
      ParticipantInfo(participant: participant, isPinned: false, maxHeight: 20).maxHeight == 20)
    #expect(ParticipantInfo.Metrics.rowHeight == 28)
    #expect(ParticipantInfo.Metrics.topRightCornerRadius == 8)
  }

  @Test("LB-22 The symbols and the name's identifier are those of the guide")
  func symbolsAreThoseOfTheGuide() {
    #expect(Symbol.pin.rawValue == "pin.fill")
    #expect(Symbol.weakNetwork.rawValue == "wifi.slash")
    #expect(PausedVideoIndicator.symbol.rawValue == "video.slash.fill")
    #expect(ParticipantInfo.nameAccessibilityIdentifier == "participantName")
  }

  @Test("VR-13 The row shows the state of the sound")
  func theRowShowsTheStateOfTheSound() {
    let cases: [(hasAudio: Bool, isSpeaking: Bool, expected: SoundState)] = [
      (false, false, .muted), (false, true, .muted), (true, false, .silent),
      (true, true, .speaking),
    ]
    for (hasAudio, isSpeaking, expected) in cases {
      var participant = CallParticipant(id: "a")
      participant.publishedTracks = hasAudio ? [.audio] : [.video]
      participant.isSpeaking = isSpeaking
      let info = ParticipantInfo(participant: participant, isPinned: false)
      #expect(info.items.last == .sound(expected))
    }
  }
}

@Suite struct ParticipantOverlayTests {
  static let frame = Rectangle(x: 3, y: 4, width: 320, height: 999)

  /// Returns the overlay of a speaking, pinned participant with a good connection.
  private func overlay(
    participants count: Int? = 2, isSpeaking: Bool = true, ratio: Double = 2,
    showAllInfo: Bool = true,
    decorations: [VideoCallParticipantDecoration] = VideoCallParticipantDecoration.allCases
  ) -> ParticipantOverlay {
    var participant = CallParticipant(id: "p0", name: "Ann")
    participant.isPinned = true
    participant.isSpeaking = isSpeaking
    participant.connectionQuality = .good
    let call = count.map { count in
      let everybody = (0..<count).map { CallParticipant(id: ParticipantID("p\($0)")) }
      return CallState(participants: ParticipantList(everybody))
    }
    return ParticipantOverlay(
      participant: participant, call: call, availableFrame: Self.frame, ratio: ratio,
      showAllInfo: showAllInfo, decorations: decorations)
  }

  @Test("LB-23 The overlay has the participant's row, pinned if the participant is")
  func theOverlayHasTheParticipantsRow() {
    #expect(overlay().info.items.prefix(2) == [.icon(.pin), .name("Ann")])
    let defaults = ParticipantOverlay(
      participant: CallParticipant(id: "a"), call: nil, availableFrame: Self.frame, ratio: 1,
      showAllInfo: false)
    #expect(defaults.decorations == [.options, .speaking])
    #expect(defaults.info.items.first == .name("a"))
  }

  @Test("LB-24 VR-13 The connection quality is shown if and only if all information is requested")
  func qualityIsShownOnlyWithAllInformation() {
    #expect(overlay(showAllInfo: true).connectionQuality == .good)
    #expect(overlay(showAllInfo: false).connectionQuality == nil)
  }

  @Test("LB-25 A decoration is applied only if it is given, and only once")
  func onlyTheGivenDecorationsAreApplied() {
    let none = overlay(decorations: [])
    #expect(!none.showsOptions && !none.showsSpeaking)
    let options = overlay(decorations: [.options, .options])
    #expect(options.showsOptions && !options.showsSpeaking)
    #expect(options.decorations == [.options])
    let speaking = overlay(decorations: [.speaking])
    #expect(!speaking.showsOptions && speaking.showsSpeaking)
  }

  @Test("LB-26 The speaker is framed among two or more, never alone or without a call")
  func theSpeakerIsFramedOnlyAmongOthers() {
    for (count, isShown) in [(nil, false), (0, false), (1, false), (2, true), (3, true)] {
      #expect(overlay(participants: count).participantCount == count ?? 0)
      #expect(overlay(participants: count).showsSpeaking == isShown)
      #expect(!overlay(participants: count, isSpeaking: false).showsSpeaking)
    }
  }

  @Test("LB-27 A tile has the available width and the height that the ratio gives")
  func aTileHasTheAvailableWidth() {
    for (ratio, height) in [(2.0, 160.0), (1, 320), (0.5, 640), (16 / 9, 180)] {
      let size = overlay(ratio: ratio).size
      #expect(size.width == 320)
      #expect(abs(size.height - height) < 1e-9)
    }
    #expect(ParticipantOverlay.cornerRadius == 16)
  }

  @Test(
    "LB-27 An invalid ratio keeps the available height",
    arguments: [0, -1, .nan, .infinity] as [Double])
  func anInvalidRatioKeepsTheAvailableHeight(ratio: Double) {
    #expect(overlay(ratio: ratio).size == ViewSize(width: 320, height: 999))
  }

  @Test("LB-27 VR-15 The picture fills the tile and is clipped to it")
  func thePictureFillsTheTile() throws {
    let size = overlay(ratio: 1).size
    let drawn = try #require(
      ContentMode.gridDefault.videoRectangle(
        of: VideoSize(width: 1280, height: 720),
        in: Rectangle(width: size.width, height: size.height)))
    #expect(drawn.width >= size.width && drawn.height >= size.height)
  }
}

@Suite struct ParticipantViewFactoryTests {
  static let frame = Rectangle(width: 160, height: 90)

  /// Replaces the overlay by one line of text, and keeps the default view.
  private struct TextOverlays: ParticipantViewFactory {
    func makeVideoCallParticipantModifier(
      participant: CallParticipant, call: CallState?, availableFrame: Rectangle, ratio: Double,
      showAllInfo: Bool
    ) -> String {
      "\(participant.displayName) \(ratio) \(showAllInfo) \(call == nil)"
    }
  }

  /// Replaces the view by the application's own data.
  private struct ColouredViews: ParticipantViewFactory {
    func makeVideoParticipantView(
      participant: CallParticipant, id: String, availableFrame: Rectangle,
      contentMode: ContentMode, customData: [String: CustomValue], call: CallState?
    ) -> CustomValue? { customData["colour"] }
  }

  @Test("LB-28 The default overlay is the model made with the same arguments")
  func theDefaultOverlayUsesTheSameArguments() {
    var participant = CallParticipant(id: "a", name: "Ann")
    participant.connectionQuality = .poor
    let call = CallState(participants: ParticipantList([participant]))
    for showAllInfo in [true, false] {
      let made = DefaultViewFactory().makeVideoCallParticipantModifier(
        participant: participant, call: call, availableFrame: Self.frame, ratio: 1.5,
        showAllInfo: showAllInfo)
      let direct = ParticipantOverlay(
        participant: participant, call: call, availableFrame: Self.frame, ratio: 1.5,
        showAllInfo: showAllInfo)
      #expect(made == direct)
    }
  }

  @Test("LB-28 VR-14 An application can replace the overlay and keep the view")
  func anApplicationCanReplaceTheOverlay() {
    let tiles = TextOverlays().makeTiles(
      for: [CallParticipant(id: "a", name: "Ann"), CallParticipant(id: "b")],
      availableFrame: Self.frame, ratio: 1.5, call: nil)
    #expect(tiles.map(\.overlay) == ["Ann 1.5 true true", "b 1.5 true true"])
    #expect(tiles.map(\.view.id) == ["a", "b"])
  }

  @Test("VR-14 VR-15 Each tile has an overlay with all information, and fills its place")
  func eachTileHasAnOverlayWithAllInformation() {
    var participant = CallParticipant(id: "a")
    participant.connectionQuality = .excellent
    let tiles = DefaultViewFactory().makeTiles(
      for: [participant, CallParticipant(id: "b")], availableFrame: Self.frame, ratio: 1,
      call: nil)
    #expect(tiles.map(\.overlay.connectionQuality) == [.excellent, .unknown])
    #expect(tiles.allSatisfy { $0.view.contentMode == .scaleAspectFill })
    #expect(tiles.allSatisfy { $0.view.availableFrame == Self.frame })
    let none = DefaultViewFactory().makeTiles(
      for: [], availableFrame: Self.frame, ratio: 1, call: nil)
    #expect(none.isEmpty)
  }

  @Test("VR-16 The application's own data reach the view unchanged")
  func customDataReachTheViewUnchanged() {
    let data: [String: CustomValue] = [
      "colour": "teal", "seat": 7, "weights": [0.5, nil, true], "deep": ["": ["x": []]],
    ]
    let tiles = DefaultViewFactory().makeTiles(
      for: [CallParticipant(id: "a")], availableFrame: Self.frame, ratio: 1, customData: data,
      call: nil)
    #expect(tiles.map(\.view.customData) == [data])
    let coloured = ColouredViews().makeTiles(
      for: [CallParticipant(id: "a")], availableFrame: Self.frame, ratio: 1, customData: data,
      call: nil)
    #expect(coloured.map(\.view) == [.string("teal")])
  }

  @Test("VR-16 Literals are JSON values; of equal keys, the last counts")
  func literalsAreJSONValues() {
    let value: CustomValue = ["a": 1, "b": [nil, false, 2.5, "s"], "a": 3]
    #expect(
      value
        == .dictionary([
          "a": .number(3),
          "b": .array([.null, .boolean(false), .number(2.5), .string("s")]),
        ]))
  }
}
