extension Allocation {
  /// Gives the first stream full motion at its smallest size, then every other stream its base level; then raises the
  /// first to its preferred level, the others to theirs, and only then spends the rest: on the first, then on the
  /// others.
  ///
  /// A larger budget therefore never pauses a stream, raising the first stream beyond its preferred level takes nothing
  /// from the others, and bits that the first cannot use yet do not lie idle.
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
