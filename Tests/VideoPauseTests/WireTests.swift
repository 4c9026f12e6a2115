import Foundation
import Testing

@testable import VideoPause

@Suite struct WireTests {
  private let encoder: JSONEncoder = {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return encoder
  }()

  private func json(_ value: some Encodable) throws -> String {
    String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  private func decode<Value: Decodable>(_ text: String) throws -> Value {
    try JSONDecoder().decode(Value.self, from: Data(text.utf8))
  }

  @Test("LB-08 Capabilities are read in the three spellings, and written in the first")
  func capabilitiesHaveThreeSpellings() throws {
    let spellings = [
      "CLIENT_CAPABILITY_SUBSCRIBER_VIDEO_PAUSE", "SUBSCRIBER_VIDEO_PAUSE", "subscriberVideoPause",
    ]
    for spelling in spellings {
      #expect(ClientCapability(wireValue: spelling) == .subscriberVideoPause)
      #expect(try decode("[\"\(spelling)\"]") == [ClientCapability.subscriberVideoPause])
    }
    for other in [
      "", "CLIENT_CAPABILITY_", "CLIENT_CAPABILITY_UNSPECIFIED", "Subscriber_Video_Pause",
    ] {
      #expect(ClientCapability(wireValue: other) == nil)
    }
    #expect(ClientCapability.subscriberVideoPause.wireValue == spellings[0])
    #expect(try json([ClientCapability.subscriberVideoPause]) == "[\"\(spellings[0])\"]")
    #expect(ClientCapability(rawValue: "subscriberVideoPause")?.rawValue == "subscriberVideoPause")
    #expect(throws: DecodingError.self) { () -> [ClientCapability] in try decode("[\"TELEPORT\"]") }
  }

  @Test func changesAreObjectsWithAListForEachParticipant() throws {
    let change = PausedTracksChange(
      paused: ["bob": [.video], "ann": [.video, .screenShare]], resumed: ["cem": [.screenShare]])
    let text =
      #"{"paused":{"ann":["screenShare","video"],"bob":["video"]},"resumed":{"cem":["screenShare"]}}"#
    #expect(try json(change) == text)
    #expect(try decode(text) == change)
    #expect(try json(PausedTracksChange()) == #"{"paused":{},"resumed":{}}"#)
  }

  @Test("LB-13 LB-12 A state is a list of participants with what is paused, and the capabilities")
  func statesAreListsInOrder() throws {
    let state = SubscriberState(participants: [
      .init(id: "ann", pausedTracks: [.video, .screenShare]), .init(id: "bob"),
    ])
    let text = """
      {"clientCapabilities":["CLIENT_CAPABILITY_SUBSCRIBER_VIDEO_PAUSE"],\
      "participants":[{"id":"ann","pausedTracks":["screenShare","video"]},{"id":"bob","pausedTracks":[]}]}
      """
    #expect(try json(state) == text)
    #expect(try decode(text) == state)
    let empty = SubscriberState(clientCapabilities: [])
    #expect(try json(empty) == #"{"clientCapabilities":[],"participants":[]}"#)
    #expect(try decode(json(empty)) == empty)
  }

  @Test func aStateMayHaveCapabilitiesAndTypesOfANewerPeer() throws {
    let state: SubscriberState = try decode(
      #"{"clientCapabilities":["TELEPORT"],"participants":[{"id":"a","pausedTracks":["hologram"]}]}"#
    )
    #expect(
      state
        == SubscriberState(
          participants: [.init(id: "a", pausedTracks: [TrackType(rawValue: "hologram")])],
          clientCapabilities: []))
    for bad in ["{}", #"{"participants":[{"id":"ann"}],"clientCapabilities":[]}"#, "[]"] {
      #expect(throws: DecodingError.self) { () -> SubscriberState in try decode(bad) }
    }
  }

  @Test func aChangeMayLackAHalfAndHaveTypesOfANewerPeer() throws {
    let change: PausedTracksChange = try decode(#"{"paused":{"ann":["hologram"]},"more":1}"#)
    #expect(change == PausedTracksChange(paused: ["ann": [TrackType(rawValue: "hologram")]]))
    for bad in [#"{"paused":["ann"]}"#, #"{"paused":{"ann":"video"}}"#, #"[]"#] {
      #expect(throws: DecodingError.self) { () -> PausedTracksChange in try decode(bad) }
    }
  }
}
