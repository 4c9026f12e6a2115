import Testing
import VideoPause

@testable import CallPresentation

@Suite("Meeting features")
struct MeetingFeaturesTests {
  @Test(
    "IV-05 A meeting supports custom layouts if it has the feature of that name, however written",
    arguments: [
      ([], false), (["iOS_client_layout_ordering"], true), (["ios_client_layout_ordering"], true),
      (["other", "IOS_CLIENT_LAYOUT_ORDERING", "other"], true), (["ios_client_layout"], false),
      (["xios_client_layout_ordering"], false), (["ios_client_layout_ordering "], false),
      ([""], false),
    ] as [([String], Bool)])
  func customLayout(features: [String], isSupported: Bool) {
    #expect(MeetingFeatures(features).supportsCustomLayout == isSupported)
  }

  @Test("IV-35 Sharing and uploading video goes with every layout but the custom one")
  func videoShare() {
    #expect(MeetingFeatures.allowsVideoShareAndUpload(inCustomLayout: false))
    #expect(!MeetingFeatures.allowsVideoShareAndUpload(inCustomLayout: true))
  }
}

@Suite("Thermal policy")
struct ThermalPolicyTests {
  @Test("VR-22 A hot device gets half the frames, a critical one two fifths")
  func shares() {
    let policy = ThermalPolicy()
    #expect(ThermalState.allCases.map(policy.framesPerSecond) == [60, 60, 30, 24])
    let slow = ThermalPolicy(maximumFramesPerSecond: 30)
    #expect(ThermalState.allCases.map(slow.framesPerSecond) == [30, 30, 15, 12])
  }

  @Test("VR-22 The cap limits a demand, never raises it, and changes nothing else")
  func demand() {
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

  @Test("VR-22 Hotter never means more frames")
  func monotone() {
    let rates = ThermalState.allCases.sorted().map(ThermalPolicy().framesPerSecond)
    #expect(zip(rates, rates.dropFirst()).allSatisfy { $0 >= $1 })
  }
}

@Suite("Client capabilities")
struct ClientCapabilitiesTests {
  @Test("LB-07 Pausing for bandwidth is on unless a client opts out")
  func defaults() {
    #expect(ClientCapabilities().contains(.subscriberVideoPause))
    #expect(ClientCapabilities().enabled == [.subscriberVideoPause])
  }

  @Test("LB-08 Unknown wire values are ignored; the known ones come through")
  func wireValues() {
    #expect(ClientCapabilities(wireValues: []).enabled == [])
    let newer = ["", "teleportation", "SUBSCRIBERVIDEOPAUSE"]
    #expect(ClientCapabilities(wireValues: newer).enabled == [])
    let mixed = ClientCapabilities(wireValues: newer + ["subscriberVideoPause"])
    #expect(mixed.enabled == [.subscriberVideoPause])
  }

  @Test("LB-09 Opting out takes away, any number of times, and nothing takes away nothing")
  func disable() {
    var capabilities = ClientCapabilities()
    capabilities.disable([])
    #expect(capabilities == ClientCapabilities())
    capabilities.disable([.subscriberVideoPause, .subscriberVideoPause])
    #expect(capabilities.enabled == [])
    capabilities.disable([.subscriberVideoPause])
    #expect(capabilities.enabled == [])
  }

  @Test("LB-10 Enabling is the inverse, any number of times")
  func enable() {
    var capabilities = ClientCapabilities([])
    capabilities.enable([])
    #expect(capabilities.enabled == [])
    for _ in 0..<2 {
      capabilities.enable([.subscriberVideoPause])
      #expect(capabilities == ClientCapabilities())
    }
  }

  @Test("LB-12 Every join carries the set as it is then, and the server reads the same set")
  func join() {
    var capabilities = ClientCapabilities()
    #expect(capabilities.wireValues == ["subscriberVideoPause"])
    #expect(ClientCapabilities(wireValues: capabilities.wireValues) == capabilities)
    capabilities.disable([.subscriberVideoPause])
    #expect(capabilities.wireValues == [])
    #expect(ClientCapabilities(wireValues: capabilities.wireValues) == capabilities)
  }
}
