import Testing

@testable import VideoPause

/// The 52 vectors of Signal-Calling-Service@ecc14cc (`test_allocate_send_rate`; numbers only).
///
/// Each has the budget in kbit/s, the streams in order with the requested height, and the resulting layers. The budgets
/// are computed from the vectors' target, queue drain and present layers.
@Suite struct SignalVectorTests {
  /// The rate in kbit/s and the height of each layer, by the name of the stream.
  private static let ladders: [Character: [(Int, Int)]] = [
    "n": [], "1": [(200, 180), (0, 1_080)], "2": [(200, 180), (800, 360)],
    "3": [(200, 180), (800, 360), (2_000, 720)], "4": [(200, 180), (800, 360), (2_000, 720)],
    "6": [(200, 180), (800, 360), (2_000, 720)], "x": [(200, 180), (100, 360), (2_000, 720)],
    "y": [(200, 180), (800, 360), (100, 720)], "s": [(100, 1_080), (1_500, 1_080), (0, 1_080)],
  ]

  private static let vectors = """
    0:  =
    0:  =
    1000:  =
    900:  =
    1000: n0 = -
    900: n0 = -
    1000: 10 = -
    900: 10 = -
    0: 11080 = -
    0: 11080 = -
    1000: 11080 = 0
    900: 11080 = 0
    180: 3720 2360 1180 = - - -
    360: 3720 2360 1180 = 0 - -
    400: 3720 2360 1180 = 0 0 -
    400: 3720 2360 1180 = 0 0 -
    600: 3720 2360 1180 = 0 0 0
    600: 3720 2360 1180 = 0 0 0
    1200: 3720 2360 1180 = 1 0 0
    1200: 3720 2360 1180 = 1 0 0
    1800: 3720 2360 1180 = 1 1 0
    2000: 3720 2360 1180 = 1 1 0
    3000: 3720 2360 1180 = 2 1 0
    3000: 3720 2360 1180 = 2 1 0
    1200: 3720 2360 1180 = 1 0 0
    5000: 31082 21081 11080 = 2 1 0
    5000: 33 22 11 = 0 0 0
    200: 11080 21080 31080 = 0 - -
    400: 11080 21080 31080 = 0 0 -
    600: 11080 21080 41080 31080 = 0 0 0 -
    800: 11080 21080 41080 31080 = 0 0 0 0
    1000: 41080 31080 = 1 0
    2800: 41080 31080 = 2 1
    10000: 41080 31080 = 2 2
    200: 33 22 11 = 0 - -
    400: 33 22 11 = 0 0 -
    600: 33 22 11 = 0 0 0
    2000: s0 = -
    600: s1 = 0
    2000: s1 = 1
    99: x720 = -
    100: x720 = 1
    2000: x720 = 2
    100: x180 = -
    100: y720 = 2
    100: y720 6720 = 2 -
    2100: y720 6720 = 2 2
    899: y720 6720 = 2 0
    2099: y720 6720 = 2 1
    200: y721 6720 = 2 -
    200: 6721 y720 = 0 -
    899: 6721 y720 = 0 2
    """.split(separator: "\n").map(String.init)

  @Test(arguments: vectors)
  func allocationsMatchSignals(_ text: String) throws {
    let halves = text.split(separator: ":", maxSplits: 1)
    let sides = halves[1].split(separator: "=", omittingEmptySubsequences: false)
    let streams = sides[0].split(separator: " ").map(String.init)
    let expected = sides[1].split(separator: " ").map(String.init)
    var configuration = VideoPauseConfiguration.pure
    configuration.strategy = .priority
    var coordinator = try VideoPauseCoordinator(configuration: configuration)
    for stream in streams { try add(stream, to: &coordinator) }
    try coordinator.setSpeakerOrder(streams.map { ParticipantID($0) }, at: .zero)
    try coordinator.step(Int(halves[0])! * 1_000, at: .zero)
    let ours = streams.map {
      coordinator.row(camera($0))?.target.layer.map { String($0.spatial) } ?? "-"
    }
    #expect(ours == expected)
  }

  @Test func thereAre52Vectors() { #expect(Self.vectors.count == 52) }

  private func add(_ stream: String, to coordinator: inout VideoPauseCoordinator) throws {
    let layers = Self.ladders[stream.first!]!.enumerated().map { place, layer in
      VideoLayer(
        spatial: place, size: VideoSize(width: layer.1 * 16 / 9, height: layer.1),
        bitrate: layer.0 * 1_000)
    }
    let height = Int(stream.dropFirst())!
    try coordinator.upsertStream(camera(stream), kind: .camera, layers: layers, at: .zero)
    try coordinator.setDemand(
      VideoDemand(viewSize: VideoSize(width: height, height: height)), for: camera(stream),
      at: .zero)
  }
}
