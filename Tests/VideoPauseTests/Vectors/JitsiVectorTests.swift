import Testing

@testable import VideoPause

/// The decision tables of jitsi/jitsi-videobridge@a29d97d (BitrateControllerTest.kt, Apache-2.0), as numbers: the
/// layers of A, B, C and D from each bandwidth on. l, s, h: 180p, 360p, 720p; 1, 2, 3: 7.5, 15, 30 frames a second; -:
/// paused.
///
/// `ours` is what this module does instead, derived by hand from the sums of the layers; docs/video-pause.md explains
/// why.
struct JitsiView: CustomTestStringConvertible, Sendable {
  var name: String
  /// The height of each view; 0 if it is not shown.
  var heights: [Int]
  var onStage = false
  var isScreenShare = false
  var lastN: Int?
  var theirs: [(kilobits: Int, layers: String)]
  var ours: [(kilobits: Int, layers: String)]

  var testDescription: String { name }

  static func layers(at kilobits: Int, in table: [(kilobits: Int, layers: String)]) -> String {
    table.last { $0.kilobits <= kilobits }?.layers ?? "----"
  }
}

extension JitsiView {
  /// The cumulative rates of the layers in bit/s.
  static let layers: [(code: String, VideoLayer)] = [
    (180, 150_000), (360, 500_000), (720, 2_000_000),
  ]
  .enumerated().flatMap { spatial, encoding in
    [(7.5, 33), (15.0, 66), (30.0, 100)].enumerated().map { temporal, rate in
      let layer = VideoLayer(
        spatial: spatial, temporal: temporal,
        size: VideoSize(width: encoding.0 * 16 / 9, height: encoding.0),
        framesPerSecond: rate.0, bitrate: encoding.1 * rate.1 / 100)
      return (["l", "s", "h"][spatial] + String(temporal + 1), layer)
    }
  }

  private static func table(_ text: String) -> [(kilobits: Int, layers: String)] {
    text.split(separator: ",").map { row in
      let words = row.split(separator: " ").map(String.init)
      return (Int(words[0])!, words[1])
    }
  }

  private static let tiles = """
    50 l1---,100 l1l1--,150 l1l1l1-,200 l1l1l1l1,250 l2l1l1l1,300 l2l2l1l1,350 l2l2l2l1,\
    400 l2l2l2l2,450 l3l2l2l2,500 l3l3l2l2,550 l3l3l3l2
    """

  static let all: [JitsiView] = [
    JitsiView(
      name: "stage, camera", heights: [720, 180, 180, 180], onStage: true,
      theirs: table(
        """
        50 l1---,100 l2---,150 l3---,500 s3---,550 s3l1--,600 s3l1l1-,650 s3l1l1l1,700 s3l2l1l1,\
        750 s3l2l2l1,800 s3l2l2l2,850 s3l3l2l2,900 s3l3l3l2,960 s3l3l3l3,2150 h3l1l1l1,\
        2200 h3l2l1l1,2250 h3l2l2l1,2300 h3l2l2l2,2350 h3l3l2l2,2400 h3l3l3l2,2460 h3l3l3l3
        """),
      ours: table(
        """
        50 l1---,100 l2---,150 l3---,200 l3l1--,250 l3l1l1-,300 l3l1l1l1,350 l3l2l1l1,400 l3l2l2l1,\
        450 l3l2l2l2,500 l3l3l2l2,550 l3l3l3l2,600 l3l3l3l3,650 s3l1l1l1,700 s3l2l1l1,750 s3l2l2l1,\
        800 s3l2l2l2,850 s3l3l2l2,900 s3l3l3l2,950 s3l3l3l3,2450 h3l3l3l3
        """)),
    JitsiView(
      name: "stage, screen share", heights: [720, 180, 180, 180], onStage: true,
      isScreenShare: true,
      theirs: table(
        """
        0 s3---,160 h1---,660 h1---,1320 h2---,2000 h3---,2050 h3l1--,2100 h3l1l1-,2150 h3l1l1l1,\
        2200 h3l2l1l1,2250 h3l2l2l1,2300 h3l2l2l2,2350 h3l3l2l2,2400 h3l3l3l2,2460 h3l3l3l3
        """),
      ours: table(
        """
        50 l1---,100 l2---,150 l3---,170 s1---,200 l3l1--,220 s1l1--,250 l3l1l1-,\
        270 s1l1l1-,300 l3l1l1l1,320 s1l1l1l1,370 s1l2l1l1,\
        420 s1l2l2l1,470 s1l2l2l2,480 s2l1l1l1,530 s2l2l1l1,580 s2l2l2l1,630 s2l2l2l2,650 s3l1l1l1,\
        700 s3l2l1l1,750 s3l2l2l1,800 s3l2l2l2,810 h1l1l1l1,860 h1l2l1l1,910 h1l2l2l1,960 h1l2l2l2,\
        1010 h1l3l2l2,1060 h1l3l3l2,1110 h1l3l3l3,1770 h2l3l3l3,2450 h3l3l3l3
        """)),
    JitsiView(
      name: "stage, last-N 1", heights: [720, 180, 180, 180], onStage: true, lastN: 1,
      theirs: table("50 l1---,100 l2---,150 l3---,500 s3---,2010 h3---"),
      ours: table("50 l1---,100 l2---,150 l3---,500 s3---,2000 h3---")),
    JitsiView(
      name: "tiles of 180p", heights: [180, 180, 180, 180],
      theirs: table(tiles + ",610 l3l3l3l3"), ours: table(tiles + ",600 l3l3l3l3")),
    JitsiView(
      name: "tiles of 360p", heights: [360, 360, 360, 360],
      theirs: table(
        tiles + ",610 l3l3l3l3,960 s3l3l3l3,1310 s3s3l3l3,1660 s3s3s3l3,2010 s3s3s3s3"),
      ours: table(
        tiles + ",600 l3l3l3l3,950 s3l3l3l3,1300 s3s3l3l3,1650 s3s3s3l3,2000 s3s3s3s3")),
    JitsiView(
      name: "tiles of 180p, last-N 1", heights: [180, 180, 180, 180], lastN: 1,
      theirs: table("50 l1---,100 l2---,160 l3---"), ours: table("50 l1---,100 l2---,150 l3---")),
    JitsiView(
      name: "tiles of 360p, last-N 1", heights: [360, 360, 360, 360], lastN: 1,
      theirs: table("50 l1---,100 l2---,160 l3---,510 s3---"),
      ours: table("50 l1---,100 l2---,150 l3---,500 s3---")),
  ]

  /// Returns what a new coordinator forwards.
  func decide(_ kilobits: Int) throws -> String {
    var configuration = VideoPauseConfiguration.pure
    configuration.strategy = onStage ? .stage : .grid
    var coordinator = try VideoPauseCoordinator(configuration: configuration)
    for (place, height) in heights.enumerated() {
      let id = camera(["A", "B", "C", "D"][place])
      try coordinator.upsertStream(
        id, kind: isScreenShare && place == 0 ? .screenShare : .camera,
        layers: Self.layers.map(\.1), at: .zero)
      let size = VideoSize(width: height * 16 / 9, height: height)
      let pin = onStage && place == 0 ? Pin(pinnedAt: .zero) : nil
      try coordinator.setDemand(VideoDemand(viewSize: size, pin: pin), for: id, at: .zero)
    }
    try coordinator.setLastN(lastN, at: .zero)
    try coordinator.step(kilobits * 1_000, at: .zero)
    return coordinator.decision.streams.sorted { $0.id < $1.id }.map { row in
      Self.layers.first { row.target.layer == $0.1 }?.code ?? "-"
    }.joined()
  }
}

/// Jitsi's allocation tables.
@Suite struct JitsiVectorTests {
  /// At each of its steps, at each of Jitsi's, and 10 kbit/s below.
  @Test(
    arguments: JitsiView.all)
  func decisionsMatchOurTable(_ view: JitsiView) throws {
    for kilobits in Set((view.ours + view.theirs).flatMap { [$0.kilobits - 10, $0.kilobits] })
    where kilobits >= 0 {
      let expected = JitsiView.layers(at: kilobits, in: view.ours)
      #expect(try view.decide(kilobits) == expected, "at \(kilobits) kbit/s")
    }
  }

  /// Jitsi has 74 rows.
  @Test func onlyDocumentedRowsDifferFromJitsi() throws {
    var (same, all) = (0, 0)
    var differences: [String: [Int]] = [:]
    for view in JitsiView.all {
      for row in view.theirs {
        all += 1
        if try view.decide(row.kilobits) == row.layers {
          same += 1
        } else {
          differences[view.name, default: []].append(row.kilobits)
        }
      }
    }
    // Last-N 0 has one row: nothing is ever forwarded.
    var none = JitsiView.all[3]
    none.lastN = 0
    for kilobits in [0, 500, 5_000] { #expect(try none.decide(kilobits) == "----") }
    #expect(all == 74)
    // As the bandwidth rises, thumbnails precede the second size of the stage, and never disappear again.
    #expect(
      differences["stage, camera"] == [500, 550, 600, 2_150, 2_200, 2_250, 2_300, 2_350, 2_400])
    // Nothing is oversent, and a screen share that is readable already does not starve the thumbnails.
    #expect(differences["stage, screen share"]?.count == 13)
    // A layer that fits exactly is used here. Jitsi requires a layer to cost less than what remains, so its change
    // comes 10 kbit/s later.
    #expect(differences.count == 2)
    #expect(same == all - 22)
  }

  /// Jitsi's prioritisation: in the order of selection, then by speech.
  @Test(
    arguments: [
      ([], ["s6", "s5", "s4", "s3", "s2", "s1"]), (["s2"], ["s2", "s6", "s5", "s4", "s3", "s1"]),
      (["s2", "s1", "s5"], ["s2", "s1", "s5", "s6", "s4", "s3"]),
    ] as [([String], [String])])
  func selectedStreamsRankBeforeSpeakers(_ selected: [String], _ expected: [String]) throws {
    let names = ["s6", "s5", "s4", "s3", "s2", "s1"]
    var coordinator = try VideoPauseCoordinator(
      .pure, streams: names.map { (camera($0), simulcast(100)) })
    try coordinator.setSpeakerOrder(names.map { ParticipantID($0) }, at: .zero)
    for (place, name) in selected.enumerated() {
      let pin = Pin(pinnedAt: .seconds(-Int64(place)))
      try coordinator.setDemand(VideoDemand(pin: pin), for: camera(name), at: .zero)
    }
    _ = try coordinator.decide(at: .zero)
    #expect(coordinator.decision.streams.map(\.id) == expected.map(camera))
  }

  /// A selection precedes speakers.
  @Test func onlyWantedStreamsCountForLastN() throws {
    let names = ["A", "B", "C", "D"]
    var coordinator = try VideoPauseCoordinator(
      .pure, streams: names.map { (camera($0), simulcast(100)) })
    func forwarded(_ order: [String], _ lastN: Int?) throws -> [String] {
      try coordinator.setSpeakerOrder(order.map { ParticipantID($0) }, at: .zero)
      try coordinator.setLastN(lastN, at: .zero)
      try coordinator.step(10_000_000, at: .zero)
      return coordinator.running.map(\.participant.rawValue).sorted()
    }
    for (place, name) in ["A", "B"].enumerated() {
      let pin = Pin(pinnedAt: .seconds(-Int64(place)))
      try coordinator.setDemand(VideoDemand(pin: pin), for: camera(name), at: .zero)
    }
    for speaker in names { #expect(try forwarded([speaker], 2) == ["A", "B"]) }
    #expect(try forwarded([], nil) == names)
    #expect(coordinator.reason(camera("C")) == nil)
    try coordinator.setDemand(VideoDemand(isVisible: false), for: camera("A"), at: .zero)
    #expect(try forwarded(["D"], 2) == ["B", "D"])
    #expect(coordinator.reason(camera("C")) == .notRequested)
    #expect(coordinator.reason(camera("A")) == .notVisible)
  }
}
