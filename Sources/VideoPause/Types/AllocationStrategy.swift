/// How bits beyond every stream's base layer are shared.
public enum AllocationStrategy: CaseIterable, Hashable, Sendable {
  /// Equal tiles: where a bit improves the picture most.
  case grid
  /// By rank: a stream gets all it wants before the next gets more than its base.
  case priority
  /// The pinned or highest stream first, up to a good picture, then the others, then the rest of it.
  case stage
}

/// What the bandwidth estimator says about the path.
public enum CongestionState: CaseIterable, Hashable, Sendable {
  /// Nothing speaks against sending more.
  case none
  /// Queues grow: nothing is increased.
  case earlyWarning
  /// The path is overloaded: a shortfall is believed at once.
  case congested
}
