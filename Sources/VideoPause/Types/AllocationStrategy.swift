/// How to share the bits beyond every stream's base layer.
public enum AllocationStrategy: CaseIterable, Hashable, Sendable {
  /// For equal tiles: bits go where they improve the picture most.
  case grid
  /// By rank: a stream gets all it wants before the next gets more than its base layer.
  case priority
  /// The pinned or highest-ranked stream first, up to a good picture; then the others; then the rest of the first.
  case stage
}

/// The bandwidth estimator's verdict on the path.
public enum CongestionState: CaseIterable, Hashable, Sendable {
  /// No sign of congestion: more may be sent.
  case none
  /// Queues are growing: nothing is increased.
  case earlyWarning
  /// The path is overloaded: streams that do not fit are paused at once, except the first. It follows if it does not
  /// fit either, and this is reported for ``VideoPauseConfiguration/toleratedQueue`` without end.
  case congested
}
