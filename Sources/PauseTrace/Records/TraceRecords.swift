public import Annotations
internal import VideoPause

/// A replay as JSON Lines: a `config` record, the events, and at the end ``TraceSummary/json``.
public struct TraceRecords: Sendable {
  /// The name and the version of the program that writes the records.
  private let generator: String

  /// The version of the schema. It changes whenever a reader would have to change: a member is removed or changes its
  /// meaning.
  private static let schemaVersion = 1

  /// Creates a writer of records; `generator` is the name and the version of the program that writes them.
  public init(generator: String) { self.generator = generator }

  /// Returns the record of an event, or `nil` if it has none.
  public func json(_ event: TraceEvent) -> JSONValue? {
    switch event {
    case .configuration(let configuration): head + ConfigurationField.json(configuration)
    case .answer(let answer, let step): Self.head("answer", step.at) + answer.json(to: step)
    case .decision(let decision, let layers, let at):
      Self.head("decision", at) + decision.json(layers)
    case .pausedTracks(let change, let at):
      Self.head("paused_tracks", at) + [
        "paused": Self.json(change.paused), "resumed": Self.json(change.resumed),
      ]
    case .videoStreams(let streams, let at):
      Self.head("video_streams", at) + ["streams": .array(streams.map(\.json))]
    case .state, .fault: nil
    }
  }

  private var head: JSONValue {
    [
      "type": "config", "schema_version": .integer(Self.schemaVersion),
      "generator": .string(generator),
    ]
  }

  private static func head(_ type: String, _ at: Timestamp) -> JSONValue {
    ["type": .string(type), "at": .timestamp(at)]
  }

  private static func json(_ tracks: [ParticipantID: Set<TrackType>]) -> JSONValue {
    .array(
      tracks.flatMap { participant, types in
        types.map { StreamID(participant: participant, trackType: $0) }
      }.sorted().map(\.json))
  }
}

extension TraceAnswer {
  fileprivate func json(to step: TraceStep) -> JSONValue {
    [
      "line": .integer(step.line), "input": .string(step.type), "result": .string(result),
      "participants": .array(participants.map { .string($0.rawValue) }),
    ]
  }
}

extension StreamID {
  var json: JSONValue {
    ["participant": .string(participant.rawValue), "track": .string(trackType.rawValue)]
  }
}

extension VideoSize {
  fileprivate var json: JSONValue { ["width": .integer(width), "height": .integer(height)] }
}

extension VideoStream {
  fileprivate var json: JSONValue {
    let metadata = metadata.map { metadata -> JSONValue in
      ["fps": .double(metadata.framesPerSecond), "bps": .integer(metadata.bitrate)]
    }
    return id.json + resolution.json + (metadata ?? [:])
  }
}

extension VideoLayer {
  fileprivate var json: JSONValue {
    let index: JSONValue = ["spatial": .integer(spatial), "temporal": .integer(temporal)]
    return index + size.json + [
      "fps": .double(framesPerSecond), "bps": .integer(bitrate),
      "decode_target": .bool(isDecodeTarget),
    ]
  }
}

extension LayerVerdict {
  fileprivate var json: JSONValue {
    [
      "spatial": .integer(layer.spatial), "temporal": .integer(layer.temporal),
      "bps": .integer(layer.bitrate), "outcome": .string("\(outcome)"),
    ]
  }
}

extension AllocationDecision {
  fileprivate func json(_ layers: [[LayerVerdict]]) -> JSONValue {
    [
      "generation": .integer(generation), "estimate_bps": .integer(budget.estimate),
      "audio_reserve_bps": .integer(budget.audioReserve),
      "other_reserve_bps": .integer(budget.otherReserve), "keep_bps": .integer(budget.keep),
      "grow_bps": .integer(budget.grow), "pictures_bps": .integer(budget.pictures),
      "strategy": .string("\(strategy)"), "target_bps": .integer(targetBitrate),
      "ideal_bps": .integer(idealBitrate), "deficient": .bool(isDeficient),
      "oversending": .bool(isOversending),
      "probe": probe.map {
        ["bps": .integer($0.bitrate), "not_before": .timestamp($0.notBefore)]
      } ?? .null,
      "next_decision_at": nextDecisionAt.map(JSONValue.timestamp) ?? .null,
      "streams": .array(zip(streams, layers).map { $0.json($1) }),
    ]
  }
}

extension StreamDecision {
  fileprivate func json(_ layers: [LayerVerdict]) -> JSONValue {
    id.json + [
      "rank": .integer(rank), "forward": target.layer?.json ?? .null,
      "reason": target.pauseReason.map { .string("\($0)") } ?? .null,
      "missing_bps": .integer(required), "ideal": ideal?.json ?? .null,
      "key_frame": .bool(needsKeyFrame), "layers": .array(layers.map(\.json)),
    ]
  }
}
