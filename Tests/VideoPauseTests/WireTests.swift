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

  @Test func aChangeMayLackAHalfAndHaveTypesOfANewerPeer() throws {
    let change: PausedTracksChange = try decode(#"{"paused":{"ann":["hologram"]},"more":1}"#)
    #expect(change == PausedTracksChange(paused: ["ann": [TrackType(rawValue: "hologram")]]))
    for bad in [#"{"paused":["ann"]}"#, #"{"paused":{"ann":"video"}}"#, #"[]"#] {
      #expect(throws: DecodingError.self) { () -> PausedTracksChange in try decode(bad) }
    }
  }
}
