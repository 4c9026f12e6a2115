/// A pause or resume of one video, as ``VideoPauseCoordinator/onAction`` receives it.
public enum PauseAction: Hashable, Sendable {
  /// The stream is not forwarded any more, or was not from its first decision on, for this reason.
  case paused(StreamID, PauseReason)
  /// The stream is forwarded again or for the first time, with the reason for which it was not, and how long that
  /// reason held.
  case resumed(StreamID, PauseReason, after: Duration)
}

/// The reason for a reported pause and the time from which it has held.
struct ReportedPause {
  var reason: PauseReason
  var since: Timestamp
}

extension StreamState {
  /// Records a stream's new target and returns the action to report. A change of reason alone is not an action.
  mutating func note(_ target: StreamTarget, at now: Timestamp) -> PauseAction? {
    switch (reportedPause, target) {
    case (nil, .forward): return nil
    case (nil, .paused(let reason)):
      reportedPause = ReportedPause(reason: reason, since: now)
      return .paused(id, reason)
    case (let old?, .paused(let reason)):
      if old.reason != reason { reportedPause = ReportedPause(reason: reason, since: now) }
      return nil
    case (let old?, .forward):
      reportedPause = nil
      return .resumed(id, old.reason, after: old.since.duration(to: now))
    }
  }
}
