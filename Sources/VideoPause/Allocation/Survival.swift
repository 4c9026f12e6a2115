extension Allocation {
  /// Decides which streams are forwarded at all: base levels in rank order, first of streams that are never paused,
  /// then of those paused as a last resort, then of the others.
  ///
  /// A stream that does not fit is passed over, and a cheaper one behind it may still be forwarded: pausing that one
  /// would not have helped.
  mutating func surviveInOrder() {
    var isShut = false
    for policy in [PausePolicy.never, .lastResort, .normal] {
      for place in candidates.indices where candidates[place].policy == policy {
        survive(place, &isShut)
      }
    }
  }

  /// Gives a stream its base level if that fits. `isShut` is true once a stream ranked before it is held by its gate:
  /// resuming a later one first would reverse the order.
  private mutating func survive(_ place: Int, _ isShut: inout Bool) {
    let candidate = candidates[place]
    guard candidate.level.isNone else { return }
    let base = steps[candidate.first].bitrate
    let oversend = candidate.policy == .never ? maximumOversend : 0
    let limit = budget + oversend
    isShut = isShut || candidate.isShut
    let allowed = candidate.isResume ? min(limit, resumeBudget + oversend) : limit
    if used + base <= allowed && !(isShut && candidate.isResume) {
      set(place, to: .base)
    } else {
      candidates[place].required = max(0, used + base - limit)
    }
  }
}
