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
    try advance(to: time)
    guard isDecisionDue(at: time) else {
      postpone()
      return false
    }
    return decideNow(at: time)
  }

  /// Returns whether ``decide(at:)`` would compute a new decision at `now`.
  public func isDecisionDue(at now: Timestamp) -> Bool {
    guard let last = lastRoundAt, !streams.isChanged else { return true }
    if let next = outcome.decision.nextDecisionAt, next <= now { return true }
    guard network.isChanged else { return false }
    if now.microseconds(since: last) >= timing.decisionInterval { return true }
    return network.isOverloaded && !outcome.decision.isOversending
  }

  /// Moves the next look nearer for a new estimate that has to wait.
  private mutating func postpone() {
    guard network.isChanged, let last = lastRoundAt else { return }
    outcome.look(at: last.advanced(byMicroseconds: timing.decisionInterval))
  }

  /// Runs one round of the whole procedure, and returns whether the forwarding or its description changed.
  private mutating func decideNow(at now: Timestamp) -> Bool {
    streams.settleLocks(at: now, timing)
    allocation.prefersCurrent = !streams.isRankChanged
    let isNewProblem = takeInChanges(at: now)
    streams.noteStandings(in: &allocation, mayPause: settings.mayPause, at: now, timing)
    let strategy =
      meeting.layout.ordersByPriority ? AllocationStrategy.priority : settings.strategy
    let grow = network.setBudgets(
      of: &allocation, strategy, isRising: outcome.isRising, at: now)
    allocation.solve(strategy)
    let isChanged = outcome.commit(
      &allocation, to: &streams, isNewProblem: isNewProblem, at: now, timing, onAction)
    network.carry(allocation, strategy)
    lastRoundAt = now
    return outcome.conclude(
      allocation, strategy, network, streams, grow: grow, isChanged: isChanged, at: now, timing)
  }

  /// Applies the pending changes, and returns whether the allocation problem changed in more than its budget.
  private mutating func takeInChanges(at now: Timestamp) -> Bool {
    guard streams.isChanged || streams.isGraceOver(at: now) || lastRoundAt == nil else {
      return false
    }
    streams.refresh(
      bounds, screenShareFirst: configuration.screenShareFirst, in: &allocation.steps, at: now)
    allocation.maximumOversend = settings.mayPause ? configuration.maximumOversend : .max / 4
    streams.pose(
      &allocation, limit: settings.lastN ?? .max, mayPause: settings.mayPause, at: now)
    return true
  }
}
