extension VideoPauseCoordinator {
  /// Builds the allocation problem from the streams that are wanted, in rank order and up to last-N.
  mutating func poseProblem() {
    allocation.removeAll()
    let mayPause = mayPause
    allocation.maximumOversend = mayPause ? configuration.maximumOversend : .max / 4
    let limit = settings.lastN ?? .max
    for rank in ranking.indices {
      let place = ranking[rank]
      guard streams[place].block == nil else { continue }
      guard allocation.candidates.count < limit else { return }
      var candidate = streams[place].candidate
      candidate.rank = rank
      candidate.policy = mayPause ? streams[place].demand.pausePolicy : .never
      allocation.append(candidate, streams[place].ladder.steps)
    }
  }
}

extension StreamState {
  /// Returns the candidate's levels as the ladder gives them.
  func candidate(preferredHeight: Int) -> Allocation.Candidate {
    var candidate = Allocation.Candidate()
    candidate.preferred = preferredLevel(upTo: preferredHeight)
    candidate.motion = motionLevel
    candidate.current = currentLevel
    return candidate
  }

  /// Returns a camera's best level up to the given height, or a screen share's cheapest level at full height, because
  /// it is read.
  private func preferredLevel(upTo height: Int) -> Int {
    let heights = ladder.layers.lazy.map { layers[$0].size.height }
    return switch kind {
    case .camera: heights.lastIndex { $0 <= height } ?? 0
    case .screenShare: heights.firstIndex(of: heights.max() ?? 0) ?? 0
    }
  }

  private var motionLevel: Int {
    let heights = ladder.layers.lazy.map { layers[$0].size.height }
    return heights.lastIndex { $0 == heights.first } ?? 0
  }

  /// The level that is forwarded; -1 if none is, or if the forwarded layer is no longer wanted.
  private var currentLevel: Int {
    guard let layer = phase.layer else { return -1 }
    return ladder.layers.firstIndex { layers[$0].isSameLayer(as: layer) } ?? -1
  }
}
