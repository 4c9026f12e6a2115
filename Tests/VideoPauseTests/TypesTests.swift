import Testing

@testable import VideoPause

@Suite("VideoPause: the shared types")
struct TypesTests {
  @Test("LB-07 LB-08 the default capabilities, and unknown wire values are ignored")
  func capabilities() {
    #expect(ClientCapability.defaults == [.subscriberVideoPause])
    #expect(
      ClientCapability.parse(["subscriberVideoPause", "teleport"]) == [.subscriberVideoPause])
    #expect(ClientCapability.parse([]).isEmpty)
  }

  @Test("LB-14 track types are told apart, and an unknown one is kept as it came")
  func trackTypes() {
    let all: Set<TrackType> = [.audio, .video, .screenShare, .screenShareAudio, .unknown]
    #expect(all.count == 5)
    #expect(TrackType(rawValue: "hologram").rawValue == "hologram")
    #expect(Set(all.filter(\.isVideo)) == Set([.video, .screenShare]))
  }

  @Test("IV-11 twelve qualities, each with its resolution and frame rate")
  func qualities() {
    let table: [(StreamQuality, Int, Double)] = [
      (.r90p_3fps, 90, 3), (.r90p_7fps, 90, 7.5), (.r90p_15fps, 90, 15),
      (.r180p_7fps, 180, 7.5), (.r180p_15fps, 180, 15), (.r180p_30fps, 180, 30),
      (.r360p_7fps, 360, 7.5), (.r360p_15fps, 360, 15), (.r360p_30fps, 360, 30),
      (.r720p_7fps, 720, 7.5), (.r720p_15fps, 720, 15), (.r720p_30fps, 720, 30),
    ]
    #expect(StreamQuality.allCases == table.map(\.0))
    for (quality, height, rate) in table {
      #expect(quality.resolution == VideoSize(width: height * 16 / 9, height: height))
      #expect(quality.framesPerSecond == rate)
    }
    #expect(StreamQuality.r90p_15fps < .r180p_7fps)
  }

  @Test("IV-12 priorities compare: high, medium, low")
  func priorities() {
    #expect(StreamPriority.allCases.sorted(by: >) == [.high, .medium, .low])
  }

  @Test("time adds up and stops at the ends of its range")
  func timestamps() {
    let second = Timestamp.seconds(1)
    #expect(second.advanced(by: .milliseconds(500)) == .milliseconds(1_500))
    #expect(second.advanced(by: .seconds(-2)) == .seconds(-1))
    #expect(second.duration(to: .milliseconds(250)) == .milliseconds(-750))
    let end = Timestamp(microseconds: .max)
    #expect(end.advanced(by: .seconds(1)) == end)
    #expect(end.microseconds(since: Timestamp(microseconds: -1)) == .max)
    #expect(Timestamp.zero.advanced(by: .seconds(Int64.max)) == end)
  }

  @Test("G10 the change between two states of pausedTracks leads from one to the other")
  func changes() {
    let old: [ParticipantID: Set<TrackType>] = ["a": [.video, .screenShare], "b": [.video]]
    let new: [ParticipantID: Set<TrackType>] = ["a": [.screenShare], "c": [.video]]
    let change = PausedTracksChange(from: old, to: new)
    #expect(change?.paused == ["c": [.video]])
    #expect(change?.resumed == ["a": [.video], "b": [.video]])
    var state = old
    change?.apply(to: &state)
    #expect(state == new)
    #expect(PausedTracksChange(from: old, to: old) == nil)
  }
}
