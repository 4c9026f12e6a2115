extension Allocation {
  /// Who is forwarded at all: base levels in rank order, first those that are never paused, then those that are paused
  /// last, then the others. One that does not fit is passed over, and a cheaper one behind it may still run: pausing
  /// that would not have helped.
  mutating func surviveInOrder() {
    var isShut = false
    for policy in [PausePolicy.never, .lastResort, .normal] {
      for place in candidates.indices where candidates[place].policy == policy {
        survive(place, &isShut)
      }
    }
  }

  /// `isShut` says that a stream before this one is held by its gate: resuming others first would turn the order over.
  private mutating func survive(_ place: Int, _ isShut: inout Bool) {
    let candidate = candidates[place]
    guard candidate.level < 0 else { return }
    let base = steps[candidate.first].bitrate
    let oversend = candidate.policy == .never ? maximumOversend : 0
    let limit = budget + oversend
    isShut = isShut || candidate.isShut
    let allowed = candidate.isResume ? min(limit, resumeBudget + oversend) : limit
    if used + base <= allowed && !(isShut && candidate.isResume) {
      set(place, to: 0)
    } else {
      candidates[place].required = max(0, used + base - limit)
    }
  }
}
