public import VideoPause

/// An event of a replay. Events occur in the order of time.
public enum TraceEvent: Sendable {
  /// The coordinator's configuration: the first event of a trace whose first input is valid.
  case configuration(VideoPauseConfiguration)
  /// The coordinator's answer to an input.
  case answer(TraceAnswer, to: TraceStep)
  /// A new decision, and what it makes of the layers of each row.
  case decision(AllocationDecision, layers: [[LayerVerdict]], at: Timestamp)
  /// A change of what is paused for bandwidth.
  case pausedTracks(PausedTracksChange, at: Timestamp)
  /// The received streams, after a change.
  case videoStreams([VideoStream], at: Timestamp)
  /// The state after each call of the coordinator.
  case state(TraceState)
  /// A sentence about a faulty line. Only further faults follow.
  case fault(String)
}

/// The state in force from a time on, until the next state.
public struct TraceState: Sendable {
  /// The time from which it is in force.
  public let at: Timestamp
  /// The last estimate in the trace, in bits per second.
  public let estimate: Int
  /// The bandwidth left for video, in bits per second.
  public let capacity: Int
  /// The decision in force.
  public let decision: AllocationDecision
}

/// Why a trace cannot be replayed.
public struct TraceError: Error, Hashable {
  /// A sentence for each reason that no ``TraceEvent/fault(_:)`` has stated. It can be empty.
  public let sentences: [String]
}
