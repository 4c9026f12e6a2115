import Testing
import VideoPause

@testable import CallPresentation

@Suite struct MeetingFeaturesTests {
  @Test(
    "IV-05 A meeting supports custom layouts if it has that feature, in any letter case",
    arguments: [
      ([], false), (["iOS_client_layout_ordering"], true), (["ios_client_layout_ordering"], true),
      (["other", "IOS_CLIENT_LAYOUT_ORDERING", "other"], true), (["ios_client_layout"], false),
      (["xios_client_layout_ordering"], false), (["ios_client_layout_ordering "], false),
      ([""], false),
    ] as [([String], Bool)])
  func aFeatureEnablesCustomLayouts(features: [String], isSupported: Bool) {
    #expect(MeetingFeatures(features).supportsCustomLayout == isSupported)
  }

  @Test("IV-35 Every layout except the custom one allows sharing and uploading video")
  func onlyTheCustomLayoutPreventsVideoSharing() throws {
    var coordinator = try VideoPauseCoordinator()
    func allowsSharing() -> Bool {
      MeetingFeatures.allowsVideoShareAndUpload(inCustomLayout: coordinator.videoLayout == .custom)
    }
    try coordinator.setInMeeting(true, at: .zero)
    #expect(allowsSharing(), "no layout is chosen yet")
    for layout in VideoLayout.allCases {
      _ = try coordinator.setVideoLayout(layout, at: .zero)
      #expect(allowsSharing() == (layout != .custom), "\(layout)")
    }
    _ = try coordinator.setVideoLayout(.custom, at: .zero)
    try coordinator.setCustomLayoutAvailable(false, at: .zero)
    #expect(allowsSharing(), "the custom layout is not in force any more")
  }
}

@Suite struct ThermalPolicyTests {
  @Test("VR-22 A hot device gets half the frame rate, a critical one two fifths")
  func heatReducesTheFrameRate() {
    let policy = ThermalPolicy()
    #expect(ThermalState.allCases.map(policy.framesPerSecond) == [60, 60, 30, 24])
    let slow = ThermalPolicy(maximumFramesPerSecond: 30)
    #expect(ThermalState.allCases.map(slow.framesPerSecond) == [30, 30, 15, 12])
  }

  @Test("VR-22 The cap lowers a demand, never raises it, and changes nothing else")
  func theCapOnlyLowersADemand() {
    let policy = ThermalPolicy()
    let before = VideoDemand(
      isVisible: false, viewSize: .zero, priority: .high, maximumQuality: .r90p_7fps,
      pausePolicy: .never)
    for (asked, state, expected) in [
      (Double?.none, ThermalState.nominal, 60.0), (nil, .critical, 24), (15, .serious, 15),
      (45, .serious, 30), (45, .fair, 45),
    ] {
      var demand = before
      demand.maximumFramesPerSecond = asked
      policy.apply(state, to: &demand)
      var capped = before
      capped.maximumFramesPerSecond = expected
      #expect(demand == capped)
    }
  }

  @Test("VR-22 A hotter device never gets more frames")
  func aHotterDeviceNeverGetsMoreFrames() {
    let rates = ThermalState.allCases.sorted().map(ThermalPolicy().framesPerSecond)
    #expect(zip(rates, rates.dropFirst()).allSatisfy { $0 >= $1 })
  }
}

@Suite struct ClientCapabilitiesTests {
  @Test("LB-07 Pausing for bandwidth is on unless a client opts out")
  func pausingIsOnByDefault() {
    #expect(ClientCapabilities().contains(.subscriberVideoPause))
    #expect(ClientCapabilities().enabled == [.subscriberVideoPause])
  }

  @Test("LB-08 Unknown wire values are ignored; known ones are kept")
  func unknownWireValuesAreIgnored() {
    #expect(ClientCapabilities(wireValues: []).enabled == [])
    let newer = ["", "teleportation", "SUBSCRIBERVIDEOPAUSE"]
    #expect(ClientCapabilities(wireValues: newer).enabled == [])
    let mixed = ClientCapabilities(wireValues: newer + ["subscriberVideoPause"])
    #expect(mixed.enabled == [.subscriberVideoPause])
  }

  @Test("LB-09 Opting out may be repeated, and opting out of nothing changes nothing")
  func optingOutMayBeRepeated() {
    var capabilities = ClientCapabilities()
    capabilities.disable([])
    #expect(capabilities == ClientCapabilities())
    capabilities.disable([.subscriberVideoPause, .subscriberVideoPause])
    #expect(capabilities.enabled == [])
    capabilities.disable([.subscriberVideoPause])
    #expect(capabilities.enabled == [])
  }

  @Test("LB-10 Opting in reverses opting out, and may be repeated")
  func optingInReversesOptingOut() {
    var capabilities = ClientCapabilities([])
    capabilities.enable([])
    #expect(capabilities.enabled == [])
    for _ in 0..<2 {
      capabilities.enable([.subscriberVideoPause])
      #expect(capabilities == ClientCapabilities())
    }
  }

  @Test("LB-12 Every join carries the current set, and the server reads the same set")
  func everyJoinCarriesTheCurrentSet() {
    var capabilities = ClientCapabilities()
    #expect(capabilities.wireValues == ["CLIENT_CAPABILITY_SUBSCRIBER_VIDEO_PAUSE"])
    #expect(ClientCapabilities(wireValues: capabilities.wireValues) == capabilities)
    capabilities.disable([.subscriberVideoPause])
    #expect(capabilities.wireValues == [])
    #expect(ClientCapabilities(wireValues: capabilities.wireValues) == capabilities)
  }
}
