internal import Annotations
public import VideoPause

/// One input of the coordinator, read and ready to be applied.
public struct TraceStep: Sendable {
  /// A function that applies an input. Methods of the layout return an answer; other inputs return `nil`.
  typealias Apply =
    @Sendable (inout VideoPauseCoordinator) throws(VideoPauseError) -> TraceAnswer?

  /// The number of its line, from 1.
  public let line: Int
  /// The time of the input.
  public let at: Timestamp
  /// The type of its line, such as `stream`.
  public let type: String
  let apply: Apply
  /// The bit rate of an `estimate` line, in bits per second.
  private(set) var estimate: Int?

  init(_ type: String, line: Int, _ fields: inout Fields) throws(LineFault) {
    guard let kind = TraceInput(rawValue: type) else {
      throw LineFault(
        "type: '\(type)' is unknown: write one of config, "
          + TraceInput.allCases.map(\.rawValue).joined(separator: ", "))
    }
    self.line = line
    self.type = type
    at = try fields.required("at", .timestamp)
    estimate = kind == .estimate ? try fields.required("bps", .bitrate) : nil
    apply = try kind.read(&fields, at: at)
  }
}

/// The result of a method of the layout.
public struct TraceAnswer: Hashable, Sendable {
  /// `success`, or the name of the reason for a refusal.
  public let result: String
  /// The participants that a refusal is about.
  public private(set) var participants: [ParticipantID] = []

  /// Whether the coordinator refused the input.
  public var isRefusal: Bool { result != "success" }
}

/// The types of lines, one for each input of ``VideoPauseCoordinator``.
enum TraceInput: String, CaseIterable {
  case stream, demand, estimate, audio, speakers, speaking, strategy, capabilities, locked, tick
  case removeStream = "remove_stream"
  case publisherMuted = "publisher_muted"
  case subscriberPaused = "subscriber_paused"
  case otherTraffic = "other_traffic"
  case lastN = "last_n"
  case receive720p = "receive_720p"
  case debugMetadata = "debug_metadata"
  case meeting, participants, layout
  case customLayout = "custom_layout"
  case layoutStreams = "layout_streams"

  /// Reads all members, so that only the coordinator's own refusals can occur later.
  func read(_ fields: inout Fields, at: Timestamp) throws(LineFault) -> TraceStep.Apply {
    switch self {
    case .stream: try fields.stream(at)
    case .removeStream: try fields.removeStream(at)
    case .demand: try fields.demand(at)
    case .publisherMuted: try fields.publisherMuted(at)
    case .subscriberPaused: try fields.subscriberPaused(at)
    case .locked: try fields.locked(at)
    case .estimate: try fields.estimate(at)
    case .audio: try fields.audio(at)
    case .otherTraffic: try fields.otherTraffic(at)
    case .speakers: try fields.speakers(at)
    case .speaking: try fields.speaking(at)
    case .strategy: try fields.strategy(at)
    case .lastN: try fields.lastN(at)
    case .receive720p: try fields.receive720p(at)
    case .capabilities: try fields.capabilities(at)
    case .debugMetadata: try fields.debugMetadata()
    case .meeting: try fields.meeting(at)
    case .participants: try fields.participants(at)
    case .layout: try fields.layout(at)
    case .customLayout: try fields.customLayout(at)
    case .layoutStreams: try fields.layoutStreams(at)
    case .tick: { _ throws(VideoPauseError) in nil }
    }
  }
}
