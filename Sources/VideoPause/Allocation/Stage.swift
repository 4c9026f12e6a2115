extension Allocation {
  /// Serves the first stream before the others, without starving them.
  ///
  /// The first stream gets full motion at its smallest size, then every other stream its base level. Next, the first
  /// is raised to its preferred level, and then the others to theirs. Only then is the rest spent: on the first, then
  /// on the others.
  ///
  /// A larger budget therefore never pauses a stream, raising the first stream beyond its preferred level takes nothing
  /// from the others, and bits that the first cannot use yet do not lie idle.
  mutating func solveStage() {
    guard let first = candidates.first else { return }
    survive()
    raise(0, upTo: first.preferred)
    raiseByDensity { $0.preferred }
    raise(0, upTo: first.top)
    raiseByDensity { $0.top }
  }
}
