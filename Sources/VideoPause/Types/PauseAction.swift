/// A video was paused or resumed, which ``VideoPauseCoordinator/onAction`` is told.
public enum PauseAction: Hashable, Sendable {
  /// Not forwarded any more, or not from its first decision on, and why.
  case paused(StreamID, PauseReason)
  /// Forwarded again or for the first time, why it was not just before, and for how long it was not for that reason.
  case resumed(StreamID, PauseReason, after: Duration)
}

/// Since when a stream is paused, and why.
struct Pause {
  var reason: PauseReason
  var since: Timestamp
}

extension StreamState {
  /// Takes note of what happens from now on; what that is to tell. That the reason alone changed is no action.
  mutating func note(_ target: StreamTarget, at now: Timestamp) -> PauseAction? {
    switch (pause, target) {
    case (nil, .forward): return nil
    case (nil, .paused(let reason)):
      pause = Pause(reason: reason, since: now)
      return .paused(id, reason)
    case (let old?, .paused(let reason)):
      if old.reason != reason { pause = Pause(reason: reason, since: now) }
      return nil
    case (let old?, .forward):
      pause = nil
      return .resumed(id, old.reason, after: old.since.duration(to: now))
    }
  }
}
