extension Allocation {
  /// The first stream at full motion in its smallest size, then everybody else's base level; then the first up to its
  /// preferred level, the others up to theirs, and only then the rest: for the first, then for the others.
  ///
  /// More budget thus never pauses anybody, raising the first beyond its preferred level takes nothing away from the others,
  /// and what it cannot use yet does not lie idle.
  mutating func solveStage() {
    guard let first = candidates.first else { return }
    if !candidates.contains(where: { $0.policy == .never }) && !first.isShut {
      let allowed = first.isResume ? min(budget, resumeBudget) : budget
      if bitrate(0, 0) <= allowed { set(0, to: 0) }
    }
    raise(0, upTo: first.motion)
    surviveInOrder()
    raise(0, upTo: first.preferred)
    raiseByDensity { $0.preferred }
    raise(0)
    raiseByDensity { $0.count - 1 }
  }
}
