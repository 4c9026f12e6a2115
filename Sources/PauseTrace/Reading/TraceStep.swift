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
    case .speaking: try fields.speaking(at)
    case .capabilities: try fields.capabilities(at)
    case .layout: try fields.layout(at)
    case .layoutStreams: try fields.layoutStreams(at)
    case .otherTraffic:
      try fields.input("bps", .bitrate) { (coordinator, rate) throws(VideoPauseError) in
        try coordinator.setOtherTraffic(rate, at: at)
      }
    case .speakers:
      try fields.input("participants", .participants) {
        (coordinator, recent) throws(VideoPauseError) in
        try coordinator.setSpeakerOrder(recent, at: at)
      }
    case .strategy:
      try fields.input("strategy", .word) { (coordinator, strategy) throws(VideoPauseError) in
        try coordinator.setStrategy(strategy, at: at)
      }
    case .lastN:
      try fields.input("count", .limit) { (coordinator, count) throws(VideoPauseError) in
        try coordinator.setLastN(count, at: at)
      }
    case .receive720p:
      try fields.input("enabled", .flag) { (coordinator, isEnabled) throws(VideoPauseError) in
        try coordinator.set720pVideoReceiveEnabled(isEnabled, at: at)
      }
    case .debugMetadata:
      try fields.input("enabled", .flag) { (coordinator, isEnabled) throws(VideoPauseError) in
        coordinator.setDebugMetadataEnabled(isEnabled)
      }
    case .meeting:
      try fields.input("in_meeting", .flag) { (coordinator, isInMeeting) throws(VideoPauseError) in
        try coordinator.setInMeeting(isInMeeting, at: at)
      }
    case .participants:
      try fields.input("participants", .participants) {
        (coordinator, everybody) throws(VideoPauseError) in
        try coordinator.setParticipants(Set(everybody), at: at)
      }
    case .customLayout:
      try fields.input("available", .flag) { (coordinator, isAvailable) throws(VideoPauseError) in
        try coordinator.setCustomLayoutAvailable(isAvailable, at: at)
      }
    case .tick: { _ throws(VideoPauseError) in nil }
    }
  }
}

extension Fields {
  /// Returns the input that a single member states.
  fileprivate mutating func input<Value: Sendable>(
    _ name: String, _ kind: FieldKind<Value>,
    _ give:
      @escaping @Sendable (inout VideoPauseCoordinator, Value) throws(VideoPauseError) -> Void
  ) throws(LineFault) -> TraceStep.Apply {
    let value = try required(name, kind)
    return { (coordinator) throws(VideoPauseError) in
      try give(&coordinator, value)
      return nil
    }
  }
}
