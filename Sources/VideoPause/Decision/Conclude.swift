extension VideoPauseCoordinator {
  /// Writes the sums, the probe and the time of the next look, and returns whether this is a new decision.
  mutating func conclude(_ budget: Budget, isChanged: Bool, at now: Timestamp) -> Bool {
    let needs = needs(at: now)
    let probe = probing.goal(
      at: now, cheapestStep: needs.cheapestStep, isPinnedPaused: needs.isPinnedPaused,
      ProbeSchedule.Rates(
        sent: allocated, reserve: reserve.bitrate, wanted: needs.ideal, estimate: budget.estimate))
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
    decision.nextDecisionAt = nextLook(needs, at: now)
    if isNew { decision.generation += 1 }
    return isNew
  }

  /// What the streams lack.
  private struct Needs {
    /// The sum of all ideal layers, in bits per second.
    var ideal = 0
    var cheapestStep: Int?
    var isPinnedPaused = false
    /// When the first gate of a paused stream opens.
    var gateOpens: Timestamp?

    var isDeficient: Bool { cheapestStep != nil }
  }

  private func needs(at now: Timestamp) -> Needs {
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
      needs.gateOpens = .earliest(needs.gateOpens, stream.gate.opens(at: now, timing))
    }
    return needs
  }

  /// Returns the earliest time at which something can change without an input.
  private func nextLook(_ needs: Needs, at now: Timestamp) -> Timestamp? {
    var next: Timestamp?
    let isShort = essential > available && !decision.isOversending
    let isGrowing = needs.isDeficient && congestion == .none && history.isSettling
    if isShort || isGrowing || allocation.hasMore || allocation.firstWaits {
      next = now.advanced(byMicroseconds: max(1_000, timing.decisionInterval))
    }
    for stream in streams {
      let timeout = max(1, timing.lockTimeout)
      next = .earliest(
        next, stream.phase.lockPendingSince?.advanced(byMicroseconds: timeout))
      if let end = stream.hiddenGraceEnds, end > now { next = .earliest(next, end) }
    }
    guard needs.isDeficient else { return next }
    next = .earliest(next, needs.gateOpens)
    next = .earliest(next, probing.nextPlan)
    return next
  }
}

extension Timestamp {
  static func earliest(_ a: Timestamp?, _ b: Timestamp?) -> Timestamp? {
    guard let a, let b else { return a ?? b }
    return min(a, b)
  }
}
