/// The subscriber's path: what is available on it for video, what is sent over it, and how long it has been too little.
struct Network {
  private let initialEstimate: Int
  private let growMargin: Double

  /// The bandwidth estimate in bits per second; nil until the first one arrives.
  private(set) var given: Int?
  private(set) var congestion = CongestionState.none
  /// Since when every estimate has come with congestion.
  private var congestedSince: Timestamp?
  private(set) var reserve: Reserve
  private var history: AvailableHistory
  private var backlog: Backlog
  /// The cost of all layers that are forwarded now, in bits per second.
  private(set) var sent = 0
  /// The part of it that no decision about sizes can save, in bits per second.
  private(set) var essential = 0
  /// Whether an input about the path came since ``setBudgets(of:_:at:)``; acts when the timing allows.
  private(set) var isChanged = false

  init(_ configuration: VideoPauseConfiguration) {
    initialEstimate = configuration.initialEstimate
    growMargin = configuration.growMargin
    reserve = Reserve(configuration)
    history = AvailableHistory(configuration)
    backlog = Backlog(configuration)
  }

  /// The estimate in force, in bits per second.
  var estimate: Int { given ?? initialEstimate }

  /// The bandwidth left for video, in bits per second.
  var available: Int { max(0, estimate - reserve.bitrate) }

  /// Whether what is shown does not fit even in its smallest sizes.
  var isShort: Bool { essential > available }

  /// Whether the evidence for sending more will rise if no input arrives.
  var isSettling: Bool { congestion == .none && history.isSettling }

  /// Whether more is sent than even a queue excuses.
  var isOverloaded: Bool {
    sent > (congestion == .congested ? available : max(available, essential))
  }

  // MARK: Inputs

  /// Begins the history and the queue at the first input.
  mutating func begin(at now: Timestamp) {
    history.record(available, at: now)
    backlog.begin(at: now)
  }

  /// Accounts for the time since the last input. What is oversent on request is not the coordinator's to drain.
  mutating func advance(to now: Timestamp, isOversending: Bool) {
    backlog.advance(
      to: now, sent: isOversending ? min(sent, available) : sent, available: available)
  }

  mutating func setEstimate(_ rate: Int, _ congestion: CongestionState, at now: Timestamp) {
    if given == nil { history.forget() }
    given = rate
    self.congestion = congestion
    congestedSince = congestion == .congested ? congestedSince ?? now : nil
    noteAvailable(isEstimate: true, at: now)
  }

  mutating func setAudio(streamCount: Int, measured: Int?, at now: Timestamp) {
    reserve.setAudio(streamCount: streamCount, measured: measured)
    noteAvailable(isEstimate: false, at: now)
  }

  mutating func setOther(measured: Int, at now: Timestamp) {
    reserve.setOther(measured: measured)
    noteAvailable(isEstimate: false, at: now)
  }

  private mutating func noteAvailable(isEstimate: Bool, at now: Timestamp) {
    history.record(available, at: now)
    backlog.observe(essential: essential, available: available, isEstimate: isEstimate)
    isChanged = true
  }

  // MARK: What is sent

  /// Records what the allocation in force costs.
  mutating func carry(_ allocation: Allocation, _ strategy: AllocationStrategy) {
    sent = allocation.used
    essential = allocation.essentialRate(strategy)
  }

  /// Records that what is forwarded costs more or less than when it was decided.
  mutating func changeSent(by difference: Int) { sent += difference }

  // MARK: Budgets

  /// Divides the bandwidth for a decision, and returns up to what more may be sent than now.
  ///
  /// Sizes follow the estimate at once. Pictures stay until the queue is full. While probes succeed, a picture more
  /// needs no more evidence than the first in rank.
  mutating func setBudgets(
    of allocation: inout Allocation, _ strategy: AllocationStrategy, isRising: Bool,
    at now: Timestamp
  ) -> Int {
    isChanged = false
    essential = allocation.essentialRate(strategy)
    backlog.observe(essential: essential, available: available, isEstimate: false)
    let verdict = verdict(first: allocation.firstShownRate, at: now)
    allocation.keepBudget = verdict == .borne ? max(available, essential) : available
    allocation.keepsFirst = verdict == .full
    // Not arguments of `grown`: a copy of self that waits for them would have the history copied.
    let (mostly, recently) = (history.mostly(at: now), history.recently(at: now))
    let steadily = history.steadily(at: now)
    let grows = congestion == .none
    allocation.pictureBudget = grows ? grown(isRising ? max(mostly, steadily) : mostly) : 0
    allocation.firstBudget = congestion == .congested ? 0 : available
    if allocation.mayClaim {
      allocation.claimBudget = min(allocation.firstBudget, steadily)
    }
    let grow = grows ? grown(recently) : 0
    allocation.budget = max(grow, min(sent, available))
    return grow
  }

  private mutating func verdict(first: Int, at now: Timestamp) -> Backlog.Verdict {
    guard isShort else { return .borne }
    let usual = history.usually(at: now)
    let verdict = backlog.verdict(
      essential: essential, available: available, usual: usual, first: first)
    guard congestion == .congested else { return verdict }
    // Congestion that outlives the pause of all others is made by the first stream itself, whatever the estimate says.
    return backlog.isStanding(since: congestedSince) ? .spent : max(verdict, .full)
  }

  private func grown(_ evidence: Int) -> Int {
    min(available, Int(Double(evidence) * (1 - growMargin)))
  }
}
