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
    try renew(at: time) ? decision : nil
  }

  /// Makes a decision if one is due, and returns whether it is a new one. The caller need not copy it.
  mutating func renew(at time: Timestamp) throws(VideoPauseError) -> Bool {
    try checkTime(time)
    advance(to: time)
    guard isDecisionDue(at: time) else {
      postpone()
      return false
    }
    return decideNow(at: time)
  }

  /// Returns whether ``decide(at:)`` would compute a new decision at `now`.
  public func isDecisionDue(at now: Timestamp) -> Bool {
    guard let last = lastRoundAt, !changes.isUrgent else { return true }
    if let next = decision.nextDecisionAt, next <= now { return true }
    guard changes.budget else { return false }
    if now.microseconds(since: last) >= timing.decisionInterval { return true }
    let limit = congestion == .congested ? available : max(available, essential)
    return allocated > limit && !decision.isOversending
  }

  /// Moves the next look nearer for a new estimate that has to wait.
  private mutating func postpone() {
    guard changes.budget, let last = lastRoundAt else { return }
    decision.nextDecisionAt = .earliest(
      decision.nextDecisionAt, last.advanced(byMicroseconds: timing.decisionInterval))
  }

  /// Runs one round of the whole procedure, and returns whether the forwarding or its description changed.
  private mutating func decideNow(at now: Timestamp) -> Bool {
    settleLocks(at: now)
    allocation.prefersCurrent = !changes.rank
    let isNewProblem = takeInChanges(at: now)
    noteStandings(at: now)
    let strategy = layout.ordersByPriority ? AllocationStrategy.priority : settings.strategy
    essential = allocation.essentialRate(strategy)
    backlog.observe(essential: essential, available: available, isEstimate: false)
    let grow = setBudgets(at: now)
    allocation.solve(strategy)
    let isChanged = commit(isNewProblem: isNewProblem, at: now)
    essential = allocation.essentialRate(strategy)
    let budget = Budget(
      estimate: estimate ?? configuration.initialEstimate, audioReserve: reserve.audio,
      otherReserve: reserve.other, keep: allocation.keepBudget, grow: grow,
      pictures: allocation.pictureBudget)
    decision.strategy = strategy
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
      let first = allocation.first.map { ranking[allocation.candidates[$0].rank] }
      firstInRank.observe(first.map { streams[$0].id }, at: now)
    }
    changes = Changes()
    lastRoundAt = now
    return isNewProblem
  }

  /// Divides the bandwidth, and returns up to what more may be sent than now.
  ///
  /// Sizes follow the estimate at once. Pictures stay until the queue is full.
  private mutating func setBudgets(at now: Timestamp) -> Int {
    let verdict = verdict(at: now)
    allocation.keepBudget = verdict == .borne ? max(available, essential) : available
    allocation.keepsFirst = verdict == .full
    // Not arguments of `grown`: a copy of self that waits for them would have the history copied.
    let (mostly, recently) = (history.mostly(at: now), history.recently(at: now))
    let grows = congestion == .none
    allocation.pictureBudget = grows ? grown(mostly) : 0
    allocation.firstBudget = congestion == .congested ? 0 : available
    if allocation.mayClaim {
      allocation.claimBudget = min(allocation.firstBudget, history.steadily(at: now))
    }
    let grow = grows ? grown(recently) : 0
    allocation.budget = max(grow, min(allocated, available))
    return grow
  }

  private mutating func verdict(at now: Timestamp) -> Backlog.Verdict {
    guard essential > available else { return .borne }
    let usual = history.usually(at: now)
    let verdict = backlog.verdict(
      essential: essential, available: available, usual: usual, first: allocation.firstShownRate)
    guard congestion == .congested else { return verdict }
    // Congestion that outlives the pause of all others is made by the first stream itself, whatever the estimate says.
    return backlog.isStanding(since: congestedSince, at: now) ? .spent : max(verdict, .full)
  }

  private func grown(_ evidence: Int) -> Int {
    min(available, Int(Double(evidence) * (1 - configuration.growMargin)))
  }

  /// Notes for each stream whether it is shown or paused, and whether it may be resumed.
  private mutating func noteStandings(at now: Timestamp) {
    let mayPause = mayPause
    for index in allocation.candidates.indices {
      let place = ranking[allocation.candidates[index].rank]
      allocation.candidates[index].mayToggle = streams[place].gate.mayToggle(at: now, timing)
      allocation.candidates[index].standing =
        mayPause
        ? streams[place].standing(at: now, timing)
        : streams[place].phase.layer == nil ? .new : .shown
    }
    guard let first = allocation.first, allocation.candidates[first].standing != .shown else {
      allocation.mayClaim = false
      return
    }
    let gate = streams[ranking[allocation.candidates[first].rank]].gate
    allocation.mayClaim = firstInRank.mayClaim(gate, at: now, timing)
  }
}

extension StreamState {
  fileprivate func standing(at now: Timestamp, _ timing: Timing) -> Allocation.Standing {
    if phase.layer != nil { return .shown }
    guard phase.isAfterPause else { return .new }
    if gate.isShut(at: now, timing) { return .shut }
    return gate.isHeld(at: now, timing) ? .held : .paused
  }
}
