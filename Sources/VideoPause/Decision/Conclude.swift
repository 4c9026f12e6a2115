extension VideoPauseCoordinator {
  /// Writes the sums, the probe and the time of the next look, and returns whether this is a new decision.
  mutating func conclude(_ budget: Budget, isChanged: Bool, at now: Timestamp) -> Bool {
    let needs = needs()
    let probe = probing.goal(
      at: now, cheapestStep: needs.cheapestStep, isPinnedPaused: needs.isPinnedPaused,
      sent: allocated, reserve: audio.bitrate)
    let isOversending = allocated > budget.keep
    let isNew =
      isChanged || decision.generation == 0 || probe != decision.probe
      || isOversending != decision.isOversending || needs.isDeficient != decision.isDeficient
    decision.budget = budget
    decision.targetBitrate = allocated
    decision.idealBitrate = needs.ideal
    decision.isDeficient = needs.isDeficient
    decision.isOversending = isOversending
    decision.probe = probe
    decision.nextDecisionAt = nextLook(needs, budget, at: now)
    if isNew { decision.generation += 1 }
    return isNew
  }

  /// What the streams lack.
  private struct Needs {
    /// The sum of all ideal layers, in bits per second.
    var ideal = 0
    var cheapestStep: Int?
    var isPinnedPaused = false
    /// When the first shut gate opens.
    var gateOpens: Timestamp?

    var isDeficient: Bool { cheapestStep != nil }
  }

  private func needs() -> Needs {
    var needs = Needs()
    for (place, candidate) in allocation.candidates.enumerated() {
      needs.ideal += allocation.bitrate(place, candidate.top)
      guard candidate.level < candidate.top else { continue }
      let step =
        allocation.bitrate(place, candidate.level.above)
        - allocation.bitrate(place, candidate.level)
      needs.cheapestStep = min(needs.cheapestStep ?? step, step)
      guard candidate.level.isNone else { continue }
      let stream = streams[ranking[candidate.rank]]
      needs.isPinnedPaused = needs.isPinnedPaused || stream.demand.pin != nil
      if candidate.isShut, let clock {
        needs.gateOpens = .earliest(
          needs.gateOpens, stream.gate.shutUntil(at: clock, period: timing.gatePeriod))
      }
    }
    return needs
  }

  /// Returns the earliest time at which something can change without an input.
  private func nextLook(_ needs: Needs, _ budget: Budget, at now: Timestamp) -> Timestamp? {
    var next = shortfall.believedAt(allocated: allocated, available: available)
    if decision.isOversending { next = nil }
    for stream in streams {
      let timeout = max(1, timing.lockTimeout)
      next = .earliest(
        next, stream.phase.lockPendingSince?.advanced(byMicroseconds: timeout))
      if let end = stream.hiddenGraceEnds, end > now { next = .earliest(next, end) }
    }
    guard needs.isDeficient else { return next }
    next = .earliest(next, needs.gateOpens)
    next = .earliest(next, probing.nextPlan)
    if let end = holdOff.ends, end > now { next = .earliest(next, end) }
    if budget.grow < available && congestion == .none
      && evidence.isSettling(more: holdOff.doubt(at: now, timing))
    {
      next = .earliest(next, now.advanced(byMicroseconds: max(1_000, timing.decisionInterval)))
    }
    return next
  }
}

extension Timestamp {
  static func earliest(_ a: Timestamp?, _ b: Timestamp?) -> Timestamp? {
    guard let a, let b else { return a ?? b }
    return min(a, b)
  }
}
