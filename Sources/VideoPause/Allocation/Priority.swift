extension Allocation {
  /// Gives every stream its base level, then, in rank order, as much as fits: the lexicographic optimum.
  mutating func solvePriority() {
    survive()
    for place in candidates.indices { raise(place, upTo: candidates[place].top) }
  }
}
