import TestSupport
import Testing

@testable import VideoPause

@Suite struct RankingTests {
  private func stream(_ place: Int) -> StreamState {
    StreamState(
      id: camera(String(1_000 + place)), kind: .camera, layers: [], isLocal: false, resumeLimit: 2)
  }

  /// Returns the criteria in order of precedence, lower values first.
  private func rules(_ stream: StreamState, _ screenShareFirst: Bool) -> [Int] {
    let pin = stream.demand.pin
    return [
      pin == nil ? 2 : pin!.isLocal ? 0 : 1, -Int(pin?.pinnedAt.microseconds ?? 0),
      stream.kind == .screenShare && screenShareFirst ? 0 : 1,
      -(stream.priority.map { $0.rawValue + 1 } ?? 0), stream.entry?.order ?? .max, stream.recency,
      -(stream.demand.viewSize.map { $0.width * $0.height } ?? 0),
    ]
  }

  private func change(_ stream: inout StreamState, _ random: inout SeededGenerator) {
    stream.isRankStale = true
    switch random.int(1...6) {
    case 1:
      let time = Timestamp.seconds(Int64(random.int(0...2)))
      stream.demand.pin =
        random.chance(50) ? Pin(isLocal: random.chance(50), pinnedAt: time) : nil
    case 2: stream.update(kind: random.pick(VideoKind.allCases), layers: [], isLocal: false)
    case 3: stream.demand.priority = random.pick(StreamPriority.allCases + [nil])
    case 4:
      stream.entry = random.pick([nil, 0, 1]).map {
        StreamState.Entry(quality: .r720p_30fps, priority: nil, order: $0)
      }
    case 5: stream.recency = random.pick([0, 1, 2, StreamState.last])
    default:
      let height = random.int(0...2)
      stream.demand.viewSize = random.chance(50) ? VideoSize(width: 2, height: height) : nil
    }
  }

  /// This holds after any changes to any number of streams.
  @Test(
    arguments: [true, false])
  func streamsAreOrderedByTheRulesThenByName(_ screenShareFirst: Bool) {
    var random = SeededGenerator(seed: 31)
    for count in [0, 1, 2, 7, 8, 9, 16, 17, 40] {
      var ranking = Ranking()
      var streams = (0..<count).map(stream)
      for round in 0..<500 {
        if round % 50 == 49 {
          // As after streams were added or removed: every index changes.
          streams.shuffle(using: &random)
          streams.sort { $0.id < $1.id }
          if !streams.isEmpty { streams.removeLast() }
          ranking.forget()
        }
        for _ in 0..<random.pick([0, 1, 2, count]) where !streams.isEmpty {
          change(&streams[random.int(0...(streams.count - 1))], &random)
        }
        ranking.refresh(&streams, screenShareFirst: screenShareFirst)
        let expected = streams.indices.sorted {
          let (a, b) = (rules(streams[$0], screenShareFirst), rules(streams[$1], screenShareFirst))
          return a == b ? $0 < $1 : a.lexicographicallyPrecedes(b)
        }
        #expect(ranking.indices.map { ranking[$0] } == expected)
        #expect(streams.allSatisfy { !$0.isRankStale })
      }
    }
  }

  @Test func areasDoNotOverflow() {
    let largest = VideoSize(width: .max, height: .max)
    #expect(largest.area == 2_147_483_647 * 2_147_483_647)
    #expect(VideoSize(width: 3, height: 4).area == 12)
  }

  /// A participant's camera and screen share rank together; the first mention counts.
  @Test func speakersRankFirst() throws {
    var coordinator = try VideoPauseCoordinator(
      .pure,
      streams: ["a", "b", "c", "d"].flatMap {
        [(camera($0), simulcast(100)), (share($0), simulcast(100))]
      })
    func order(_ speakers: [ParticipantID]) throws -> String {
      try coordinator.setSpeakerOrder(speakers, at: .zero)
      _ = try coordinator.decide(at: .zero)
      return coordinator.decision.streams.filter { $0.id.trackType == .video }
        .map(\.id.participant.rawValue).joined()
    }
    #expect(try order(["d", "b"]) == "dbac")
    #expect(try order(["c", "ghost", "b", "c"]) == "cbad")
    #expect(try order(["zz", "Z", ""]) == "abcd")
    #expect(try order(["a", "b", "c", "d"]) == "abcd")
    #expect(coordinator.decision.streams.prefix(4).map(\.id) == ["a", "b", "c", "d"].map(share))
  }
}
