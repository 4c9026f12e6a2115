extension Allocation {
  /// Gives every stream its base level, spends bits where they bring the most, then makes at most one exchange.
  ///
  /// Taking the densest step first is optimal except for the last step, which does not fit. The exchange repairs most
  /// of that loss: one stream goes down a level if another gains more from the freed bits than the first one loses.
  mutating func solveGrid() {
    survive()
    climb()
    raiseByDensity { $0.top }
    exchange()
    if prefersCurrent { keepCurrentIfAsGood() }
  }

  /// One stream's move up by a level.
  struct Raise {
    var cost: Int
    var gain: Double
    @Narrow<Int32> var place: Int
    /// The index of the best gain among the raises that cost no more, and of the second best, which belongs to another
    /// stream; `second` equals `best` if there is only one.
    @Narrow<Int32> var best = 0
    @Narrow<Int32> var second = 0
  }

  private mutating func exchange() {
    prepareRaises()
    guard !scratch.raises.isEmpty else { return }
    var bestGain = 1e-9
    var chosen: (down: Int, up: Int)?
    // From the last in rank, so that among equals the last one gives way.
    for place in candidates.indices.reversed() where candidates[place].level > .base {
      let level = candidates[place].level
      let loss = utility(place, level) - utility(place, level.below)
      let freed = bitrate(place, level) - bitrate(place, level.below)
      guard let raise = bestRaise(within: budget - used + freed, notOf: place) else { continue }
      if raise.gain - loss > bestGain {
        bestGain = raise.gain - loss
        chosen = (place, raise.place)
      }
    }
    guard let chosen else { return }
    set(chosen.down, to: candidates[chosen.down].level.below)
    set(chosen.up, to: candidates[chosen.up].level.above)
    raiseByDensity { $0.top }
  }

  /// Collects all raises in the order of their cost, and finds for each the best among the cheaper ones.
  private mutating func prepareRaises() {
    scratch.raises.removeAll(keepingCapacity: true)
    for (place, candidate) in candidates.enumerated()
    where !candidate.level.isNone && candidate.level < candidate.top {
      let (now, next) = (candidate.level, candidate.level.above)
      scratch.raises.append(
        Raise(
          cost: bitrate(place, next) - bitrate(place, now),
          gain: utility(place, next) - utility(place, now), place: place))
    }
    scratch.sorter.sort(&scratch.raises) { $0.cost < $1.cost }
    for index in scratch.raises.indices.dropFirst() { rankRaise(index) }
  }

  private mutating func rankRaise(_ index: Int) {
    let (best, second) = (scratch.raises[index - 1].best, scratch.raises[index - 1].second)
    let gain = scratch.raises[index].gain
    if gain > scratch.raises[best].gain {
      (scratch.raises[index].best, scratch.raises[index].second) = (index, best)
    } else {
      let isSecond = second == best || gain > scratch.raises[second].gain
      (scratch.raises[index].best, scratch.raises[index].second) = (best, isSecond ? index : second)
    }
  }

  /// Returns the best raise within `cost` of any stream but the one at `place`. Each stream has one raise, so either
  /// the best or the second best qualifies.
  private func bestRaise(within cost: Int, notOf place: Int) -> Raise? {
    let count = scratch.raises.indices.bisect { scratch.raises[$0].cost <= cost }
    guard count > 0 else { return nil }
    let last = scratch.raises[count - 1]
    if scratch.raises[last.best].place != place { return scratch.raises[last.best] }
    return last.second == last.best ? nil : scratch.raises[last.second]
  }

  /// Restores the present levels unless the new answer is better. Called while no rank changed: an answer that is only
  /// as good is not worth a change of layers.
  private mutating func keepCurrentIfAsGood() {
    var (currentUsed, difference) = (0, 0.0)
    for (place, candidate) in candidates.enumerated() {
      guard candidate.current.isNone == candidate.level.isNone else { return }
      currentUsed += bitrate(place, candidate.current)
      difference += utility(place, candidate.level) - utility(place, candidate.current)
    }
    guard currentUsed <= budget, difference <= 1e-9 else { return }
    for place in candidates.indices where candidates[place].level != candidates[place].current {
      set(place, to: candidates[place].current)
    }
  }
}
