extension VideoPauseCoordinator {
  /// Builds the allocation problem from the streams that are wanted, in rank order and up to last-N.
  mutating func poseProblem() {
    allocation.removeAll()
    let mayPause = mayPause
    allocation.maximumOversend = mayPause ? configuration.maximumOversend : .max / 4
    let limit = settings.lastN ?? .max
    for rank in ranking.indices where allocation.candidates.count < limit {
      let place = ranking[rank]
      guard streams[place].block == nil else { continue }
      var candidate = streams[place].candidate
      candidate.rank = rank
      candidate.current = streams[place].phase.level
      candidate.isPinned = streams[place].demand.pin != nil
      candidate.policy = mayPause ? streams[place].demand.pausePolicy : .never
      allocation.append(candidate, streams[place].ladder.steps)
    }
    allocation.findFirst()
  }
}

extension StreamState {
  /// Returns the candidate's levels as the ladder gives them.
  func candidate(preferredHeight: Int) -> Allocation.Candidate {
    var candidate = Allocation.Candidate()
    candidate.preferred = preferredLevel(upTo: preferredHeight)
    candidate.motion = motionLevel
    return candidate
  }

  /// Returns a camera's best level up to the given height, or a screen share's cheapest level at full height, because
  /// it is read.
  private func preferredLevel(upTo height: Int) -> Level {
    let heights = ladder.layers.lazy.map { layers[$0].size.height }
    let place =
      switch kind {
      case .camera: heights.lastIndex { $0 <= height }
      case .screenShare: heights.firstIndex(of: heights.max() ?? 0)
      }
    return place.map { Level($0) } ?? .base
  }

  private var motionLevel: Level {
    let heights = ladder.layers.lazy.map { layers[$0].size.height }
    return heights.lastIndex { $0 == heights.first }.map { Level($0) } ?? .base
  }

  /// The level of the forwarded layer. It is none if nothing is forwarded, or if the ladder no longer has that layer.
  var currentLevel: Level {
    guard let layer = phase.layer else { return .none }
    let place = ladder.layers.firstIndex { layers[$0].isSameLayer(as: layer) }
    return place.map { Level($0) } ?? .none
  }
}
