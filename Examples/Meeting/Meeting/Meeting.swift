import Speakers
import VideoPause

/// One subscriber's meeting, in simulated time: the same arguments print the same lines, at once.
struct Meeting {
  private let scene: Scene
  private let heard: [[SpeakerObservation]]
  private var detector = DominantSpeakerDetector<String>()
  private var coordinator: VideoPauseCoordinator
  private var timeline: Timeline
  /// Key frames that were asked for, and when they come.
  private var keyFrames: [(id: StreamID, at: Int64)] = []

  /// A publisher's key frame takes a round trip and an encoder's frame, in ms.
  private static let keyFrameDelay: Int64 = 150
  /// How often the estimator speaks, in ms.
  private static let estimateInterval: Int64 = 200

  init(_ scene: Scene) throws {
    self.scene = scene
    heard = try scene.voices.map { try hear($0.file) }
    let names = scene.voices.map(\.participant)
    timeline = Timeline(participants: names)
    var configuration = VideoPauseConfiguration()
    configuration.strategy = .stage
    coordinator = try VideoPauseCoordinator(configuration: configuration)
    for name in names {
      detector.join(name)
      try coordinator.upsertStream(
        StreamID(participant: ParticipantID(name)), kind: .camera, layers: Self.simulcast, at: .zero
      )
    }
    try coordinator.setAudio(streamCount: names.count, at: .zero)
  }

  /// Until two seconds after the last sound and the last change of the path.
  mutating func run() throws {
    let sounds = zip(scene.voices, heard).map { $0.start + Double($1.count) / 100 }
    let end = max(sounds.max() ?? 0, scene.path.last?.from ?? 0) + 2
    for milliseconds in stride(from: 0, to: Int64(end * 1_000), by: 10) {
      try step(to: milliseconds)
    }
  }

  private mutating func step(to now: Int64) throws {
    let time = Timestamp.milliseconds(now)
    if listen(at: now), let dominant = detector.dominant {
      timeline.speaks(dominant, at: now)
      try coordinator.setSpeakerOrder(detector.recencyOrder.map { ParticipantID($0) }, at: time)
    }
    if now % Self.estimateInterval == 0 {
      try coordinator.setBandwidthEstimate(scene.estimate(at: Double(now) / 1_000), at: time)
    }
    for keyFrame in keyFrames where keyFrame.at <= now {
      try coordinator.layerLocked(keyFrame.id, at: time)
    }
    keyFrames.removeAll { $0.at <= now }
    if let decision = try coordinator.decide(at: time) { forward(decision, at: now) }
    if let change = coordinator.drainPausedTracksChanges() { timeline.reports(change, at: now) }
  }

  /// Returns whether somebody else has the floor.
  private mutating func listen(at now: Int64) -> Bool {
    var isNew = false
    for (voice, observations) in zip(scene.voices, heard) {
      let hop = Int(now - Int64(voice.start * 1_000)) / 10
      guard observations.indices.contains(hop), now >= Int64(voice.start * 1_000) else { continue }
      isNew = detector.observe(observations[hop], from: voice.participant, at: now) || isNew
    }
    return detector.advance(to: now) || isNew
  }

  /// What a forwarder does with a decision: switch layers, and ask for key frames.
  private mutating func forward(_ decision: AllocationDecision, at now: Int64) {
    for row in decision.streams where row.needsKeyFrame {
      guard !keyFrames.contains(where: { $0.id == row.id }) else { continue }
      keyFrames.append((row.id, now + Self.keyFrameDelay))
    }
    timeline.forwards(decision, at: now)
  }

  /// Three sizes at full and half frame rate: bits per second.
  private static let simulcast: [VideoLayer] = [
    (320, 180, [80_000, 150_000]), (640, 360, [300_000, 500_000]),
    (1_280, 720, [1_000_000, 1_500_000]),
  ].enumerated().flatMap { spatial, encoding in
    zip([15.0, 30], encoding.2).enumerated().map { temporal, layer in
      VideoLayer(
        spatial: spatial, temporal: temporal,
        size: VideoSize(width: encoding.0, height: encoding.1), framesPerSecond: layer.0,
        bitrate: layer.1)
    }
  }
}
