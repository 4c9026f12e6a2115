extension VideoPauseCoordinator {
  /// Returns what to forward from now on if that changed; nil if it did not, or if no decision is due.
  ///
  /// A change of demand or rank acts at once, and so does a shortfall that is believed; other changes of the estimate
  /// act at most once each `decisionInterval`. Call this method after every input, and at
  /// ``AllocationDecision/nextDecisionAt`` of ``decision``, which is updated even when the method returns nil. Extra
  /// calls do no harm.
  ///
  /// Throws ``VideoPauseError/timestampWentBackwards(from:to:)``.
  public mutating func decide(at time: Timestamp) throws(VideoPauseError) -> AllocationDecision? {
    try checkTime(time)
    advance(to: time)
    guard isDecisionDue(at: time) else {
      postpone()
      return nil
    }
    return decideNow(at: time) ? decision : nil
  }

  /// Returns whether ``decide(at:)`` would compute a new decision at `now`.
  public func isDecisionDue(at now: Timestamp) -> Bool {
    guard let last = lastRoundAt, !changes.isUrgent else { return true }
    if let next = decision.nextDecisionAt, next <= now { return true }
    guard changes.budget else { return false }
    return isShortfallBelieved || now.microseconds(since: last) >= timing.decisionInterval
  }

  /// Moves the next look nearer for a new estimate that has to wait.
  private mutating func postpone() {
    guard changes.budget, let last = lastRoundAt else { return }
    let interval = last.advanced(byMicroseconds: timing.decisionInterval)
    let belief = shortfall.believedAt(allocated: allocated, available: available)
    decision.nextDecisionAt = .earliest(
      decision.nextDecisionAt, .earliest(interval, decision.isOversending ? nil : belief))
  }

  var isShortfallBelieved: Bool {
    shortfall.isBelieved(allocated: allocated, available: available, congestion: congestion)
  }

  /// Runs one round of the whole procedure, and returns whether the forwarding or its description changed.
  private mutating func decideNow(at now: Timestamp) -> Bool {
    settleLocks(at: now)
    allocation.prefersCurrent = !changes.rank
    let isNewProblem = takeInChanges(at: now)
    // While oversending is reported, nothing more could be brought down, so the shortfall persists until everything
    // fits.
    let isShort = isShortfallBelieved || decision.isOversending && allocated > available
    let budget = divide(isShort: isShort, at: now)
    setLimits(budget, at: now)
    prepareGates(at: now)
    allocation.solve(layout.ordersByPriority ? .priority : settings.strategy)
    let isChanged = commit(isNewProblem: isNewProblem, isShort: isShort, at: now)
    return conclude(budget, isChanged: isChanged, at: now)
  }

  /// Applies the pending changes, and returns whether the allocation problem changed in more than its budget.
  private mutating func takeInChanges(at now: Timestamp) -> Bool {
    let isGraceOver = streams.contains { $0.hiddenGraceEnds.map { $0 <= now } ?? false }
    let isNewProblem = changes.isUrgent || isGraceOver || lastRoundAt == nil
    if isNewProblem {
      refreshDemand(at: now)
      if changes.rank {
        ranking.refresh(&streams, screenShareFirst: configuration.screenShareFirst)
      }
      poseProblem()
    }
    changes = Changes()
    lastRoundAt = now
    return isNewProblem
  }

  /// Divides the bandwidth: what is sent now may continue or be exchanged for something else, and more than that may be
  /// sent only as far as the path has been able to carry it for a while.
  private mutating func divide(isShort: Bool, at now: Timestamp) -> Budget {
    let evidence = evidence.carried(at: now, more: holdOff.doubt(at: now, timing))
    let carried = Double(evidence) * (1 - configuration.growMargin)
    let keep = isShort ? available : max(available, allocated)
    return Budget(
      estimate: estimate ?? configuration.initialEstimate, audioReserve: audio.bitrate, keep: keep,
      grow: congestion == .none ? min(keep, Int(carried)) : 0)
  }

  /// Sets what all streams may cost together, and what they may cost if that resumes one.
  private mutating func setLimits(_ budget: Budget, at now: Timestamp) {
    let sentNow = min(budget.keep, allocated)
    allocation.budget = max(budget.grow, sentNow)
    allocation.resumeBudget = holdOff.isClosed(at: now) ? sentNow : allocation.budget
  }

  private mutating func prepareGates(at now: Timestamp) {
    let mayPause = mayPause
    for index in allocation.candidates.indices {
      let place = ranking[allocation.candidates[index].rank]
      let isResume = mayPause && streams[place].phase.isAfterPause
      let opens = isResume ? streams[place].gate.shutUntil(at: now, period: timing.gatePeriod) : nil
      allocation.candidates[index].isResume = isResume
      allocation.candidates[index].isShut = opens != nil
    }
  }
}
