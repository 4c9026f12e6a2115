import Testing

@testable import VideoPause

/// Meetings over several minutes. The table is the oracle: what is forwarded after each event was derived from the
/// rules by hand.
///
/// Cameras cost 150, 500 and 1,500 kbit/s at 180p, 360p and 720p, screen shares 200, 600 and 1,800.
@Suite struct MeetingTraceTests {
  private typealias Input = (inout VideoPauseCoordinator, Timestamp) throws -> Void

  /// An event, ten seconds after the one before it, with its expected outcome: each stream in rank order, with the
  /// forwarded height or the reason why nothing is forwarded.
  private struct Event {
    let what: String
    let input: Input
    let expected: String

    init(_ what: String, _ expected: String, _ input: @escaping Input) {
      (self.what, self.input, self.expected) = (what, input, expected)
    }
  }

  private func play(_ events: [Event], _ strategy: AllocationStrategy) throws {
    var configuration = VideoPauseConfiguration.pure
    configuration.strategy = strategy
    var coordinator = try VideoPauseCoordinator(configuration: configuration)
    for (count, event) in events.enumerated() {
      let now = Timestamp.seconds(Int64(count) * 10)
      try event.input(&coordinator, now)
      _ = try coordinator.decide(at: now)
      #expect(text(coordinator.decision) == event.expected, "\(event.what)")
    }
  }

  /// Returns the decision as text; screen shares are capitalised.
  private func text(_ decision: AllocationDecision) -> String {
    decision.streams.map { row in
      let name = row.id.participant.rawValue
      let isShare = row.id.trackType == .screenShare
      let target = row.target.layer.map { "\($0.size.height)" }
      return (isShare ? name.uppercased() : name)
        + (target ?? ":\(row.target.pauseReason.map { "\($0)" } ?? "")")
    }.joined(separator: " ")
  }

  private func join(_ name: String) -> Input {
    {
      try $0.upsertStream(
        camera(name), kind: .camera, layers: simulcast(150, 500, 1_500), at: $1)
    }
  }

  private func shares(_ name: String) -> Input {
    {
      try $0.upsertStream(
        share(name), kind: .screenShare, layers: simulcast(200, 600, 1_800), at: $1)
    }
  }

  private func estimate(_ kilobits: Int) -> Input {
    { try $0.setBandwidthEstimate(kilobits * 1_000, at: $1) }
  }

  private func mute(_ name: String, _ isMuted: Bool) -> Input {
    { try $0.setPublisherMuted(isMuted, for: camera(name), at: $1) }
  }

  private func speak(_ names: ParticipantID...) -> Input {
    { try $0.setSpeakerOrder(names, at: $1) }
  }

  private func pin(_ id: StreamID, isLocal: Bool = true) -> Input {
    { try $0.setDemand(VideoDemand(pin: Pin(isLocal: isLocal, pinnedAt: $1)), for: id, at: $1) }
  }

  /// An octave of height is worth 1 for a camera and 4 for a screen share. The order of the steps by gain per bit:
  /// share 200 → 600, share 600 → 1,800, cameras 150 → 500, cameras 500 → 1,500.
  @Test func threeMinutesOfGridMatchAHandCalculation() throws {
    try play(arrivals + shortage + settings + departures, .grid)
  }

  private var arrivals: [Event] {
    [
      Event("no estimate yet: 1,000", "a360") { try join("a")(&$0, $1) },
      Event("3,000 for one: 1,500", "a720", estimate(3_000)),
      Event("two: 3,000", "a720 b720", join("b")),
      Event("three: 1,500, and 1,000 more for the first", "a720 b360 c360", join("c")),
      Event("the first is whoever speaks", "c720 a360 b360", speak("c")),
      Event("muted costs nothing", "c720 a:publisherMuted b720", mute("a", true)),
      Event("share 1,800, cameras 500", "B720 c360 a:publisherMuted b360", shares("b")),
      Event("a pin changes who is first", "b360 B720 c360 a:publisherMuted", pin(camera("b"))),
    ]
  }

  private var shortage: [Event] {
    [
      Event("300 + 600", "b180 B360 c180 a:publisherMuted", estimate(1_000)),
      Event("300 + 200", "b180 B180 c180 a:publisherMuted", estimate(500)),
      Event("the last lacks 1", "b180 B180 c:bandwidth a:publisherMuted", estimate(499)),
      Event(
        "the share lacks 10, the last runs", "b180 B:bandwidth c180 a:publisherMuted",
        estimate(340)),
      Event("opted out", "b180 B180 c180 a:publisherMuted") {
        try $0.disableClientCapabilities([.subscriberVideoPause], at: $1)
      },
      Event("opted in", "b180 B:bandwidth c180 a:publisherMuted") {
        try $0.enableClientCapabilities([.subscriberVideoPause], at: $1)
      },
    ]
  }

  private var settings: [Event] {
    [
      Event("plenty: 1,800 + 1,500 + 500", "b720 B720 c360 a:publisherMuted", estimate(4_000)),
      Event("cameras at 360p", "b360 B720 c360 a:publisherMuted") {
        try $0.set720pVideoReceiveEnabled(false, at: $1)
      },
      Event("and above", "b720 B720 c360 a:publisherMuted") {
        try $0.set720pVideoReceiveEnabled(true, at: $1)
      },
      Event("1,800 + 3 × 500, and 700 over", "b360 B720 c360 a360", mute("a", false)),
      Event("the first two only", "b720 B720 c:notRequested a:notRequested") {
        try $0.setLastN(2, at: $1)
      },
      Event("all again", "b360 B720 c360 a360") { try $0.setLastN(nil, at: $1) },
    ]
  }

  private var departures: [Event] {
    [
      Event("the sharer leaves", "c720 a720") {
        try $0.removeStream(camera("b"), at: $1)
        try $0.removeStream(share("b"), at: $1)
      },
      Event("everybody leaves", "") {
        try $0.removeStream(camera("a"), at: $1)
        try $0.removeStream(camera("c"), at: $1)
      },
    ]
  }

  @Test func priorityServesBaseLayersThenEachStreamInTurn() throws {
    try play(
      [
        Event("nobody", "", estimate(2_000)),
        Event("1,500", "a720", join("a")),
        Event("1,500 + 500", "a720 b360", join("b")),
        Event("1,500 + 150 + 150", "a720 b180 c180", join("c")),
        Event("whoever speaks is first", "b720 a180 c180", speak("b")),
        Event("… and then who spoke before", "c720 b180 a180", speak("c", "b")),
        Event("high goes before who speaks", "a720 c180 b180") {
          try $0.setDemand(VideoDemand(priority: .high), for: camera("a"), at: $1)
        },
        Event("so does somebody's pin", "b720 a180 c180", pin(camera("b"), isLocal: false)),
        Event("one's own before somebody's", "c720 b180 a180", pin(camera("c"))),
        Event("500 + 500 + 500: the first wants 360p", "c360 b360 a360") {
          let small = VideoSize(width: 640, height: 360)
          let demand = VideoDemand(viewSize: small, pin: Pin(pinnedAt: $1))
          try $0.setDemand(demand, for: camera("c"), at: $1)
        },
        Event("500 + 150 + 150", "c360 b180 a180", estimate(1_149)),
        Event("500 + 500 + 150", "c360 b360 a180", estimate(1_150)),
        Event("300: the last lacks 1", "c180 b180 a:bandwidth", estimate(449)),
        Event("the publisher of the first sends no layer", "c:feedDry b180 a180") {
          try $0.upsertStream(camera("c"), kind: .camera, layers: [], at: $1)
        },
        Event("the subscriber does not want the second", "c:feedDry b:subscriberPaused a180") {
          try $0.setSubscriberPaused(true, for: camera("b"), at: $1)
        },
        Event("nor sees the third", "c:feedDry b:subscriberPaused a:notVisible") {
          try $0.setDemand(VideoDemand(isVisible: false, priority: .high), for: camera("a"), at: $1)
        },
      ], .priority)
  }

  /// The first up to 360p, the others up to their preferred height, then the rest.
  @Test func stageServesTheFirstStreamThenTheOthers() throws {
    try play(
      [
        Event("500 + 500, nothing over", "a360 b360") {
          try join("a")(&$0, $1)
          try join("b")(&$0, $1)
        },
        Event("1,500 + 500", "a720 b360", estimate(2_000)),
        Event("500 + 2 × 500", "a360 b360 c360", join("c")),
        Event("2,500", "a720 b360 c360", estimate(2_500)),
        Event("the speaker is on stage", "c720 a360 b360", speak("c")),
        Event("500 + 500 + 150", "c360 a360 b180", estimate(1_200)),
        Event("500 + 150 + 150", "c360 a180 b180", estimate(800)),
        Event("150 + 150 + 150", "c180 a180 b180", estimate(799)),
        Event("muted, the stage is the next one's", "c:publisherMuted a360 b180", mute("c", true)),
        Event("a share: 200 + 150 + 150", "A180 c:publisherMuted a180 b180", shares("a")),
        Event("the last lacks 1", "A180 c:publisherMuted a180 b:bandwidth", estimate(499)),
        Event("1,800 + 150 + 150", "A720 c:publisherMuted a180 b180", estimate(2_100)),
        Event("the share ends", "c:publisherMuted a720 b360") {
          try $0.removeStream(share("a"), at: $1)
        },
        Event("nothing at all", "c:publisherMuted a:bandwidth b:bandwidth", estimate(0)),
      ], .stage)
  }

  /// Uses the default delays, with two cameras of 150 and 500 kbit/s.
  @Test func eachStepOfACongestedMinuteComesOnTime() throws {
    var coordinator = try VideoPauseCoordinator(
      .default, streams: [(camera("a"), simulcast(150, 500)), (camera("b"), simulcast(150, 500))])
    let estimates: [(from: Int, kilobits: Int)] = [
      (0, 1_100), (10_000, 850), (20_000, 1_100), (30_000, 400), (40_000, 200), (48_000, 1_100),
    ]
    let expected: [(from: Int, to: Int, String)] = [
      (0, 9_900, "a360 b360"),
      // Sizes follow at once.
      (10_000, 20_300, "a360 b180"),
      // 95 % of the old rate carries both again once it has held for half of 750 ms, in parts of 150 ms.
      (20_700, 29_900, "a360 b360"),
      // At 200, 300 is a dip: a queue of 1.5 s at this rate is full after 3 s.
      (30_000, 42_700, "a180 b180"), (43_300, 47_900, "a180 b:bandwidth"),
      (48_700, 50_300, "a360 b:bandwidth"),
      // Once the old rate has held for four fifths of 3 s.
      (50_900, 60_000, "a360 b360"),
    ]
    for time in stride(from: 0, through: 60_000, by: 100) {
      let rate = estimates.last { $0.from <= time }!.kilobits
      try coordinator.step(rate * 1_000, at: .milliseconds(Int64(time)))
      guard let row = expected.first(where: { $0.from <= time && time <= $0.to }) else { continue }
      #expect(text(coordinator.decision) == row.2, "at \(time) ms")
    }
  }
}
