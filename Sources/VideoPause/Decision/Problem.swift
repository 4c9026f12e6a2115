extension VideoPauseCoordinator {
  /// Puts the streams that are wanted, in rank order and up to last-N, as a question to the allocation.
  mutating func poseProblem() {
    allocation.removeAll()
    allocation.maximumOversend = mayPause ? configuration.maximumOversend : .max / 4
    let limit = lastN ?? .max
    for rank in ranking.indices where streams[ranking[rank].place].block == nil {
      guard allocation.candidates.count < limit else { return }
      pose(streams[ranking[rank].place], rank: rank)
    }
  }

  private mutating func pose(_ stream: StreamState, rank: Int) {
    let steps = stream.ladder.steps
    var candidate = Allocation.Candidate(
      rank: rank, first: allocation.steps.count, count: steps.count)
    candidate.preferred = stream.preferredLevel(upTo: configuration.preferredHeight)
    candidate.motion = stream.motionLevel
    candidate.policy = mayPause ? stream.demand.pausePolicy : .never
    candidate.current = stream.currentLevel
    allocation.candidates.append(candidate)
    allocation.steps.append(contentsOf: steps)
  }
}

extension StreamState {
  /// A camera's best level up to the given height, a screen share's cheapest one at full height: it is read.
  func preferredLevel(upTo height: Int) -> Int {
    let heights = ladder.layers.lazy.map { layers[$0].size.height }
    return switch kind {
    case .camera: heights.lastIndex { $0 <= height } ?? 0
    case .screenShare: heights.firstIndex(of: heights.max() ?? 0) ?? 0
    }
  }

  var motionLevel: Int {
    let heights = ladder.layers.lazy.map { layers[$0].size.height }
    return heights.lastIndex { $0 == heights.first } ?? 0
  }

  /// The level that is forwarded; -1 if none is, or if it is not wanted any more.
  var currentLevel: Int {
    guard let current else { return -1 }
    return ladder.layers.firstIndex { layers[$0].isSameLayer(as: current) } ?? -1
  }
}
