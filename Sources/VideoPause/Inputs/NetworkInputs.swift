extension VideoPauseCoordinator {
  /// Sets the bandwidth estimate for everything that this subscriber receives, in bits per second, and returns whether
  /// a decision is due.
  ///
  /// `bitsPerSecond` is in 0...``VideoPauseLimits/maximumBitrate``. Throws ``VideoPauseError/invalidBandwidth(_:)``,
  /// ``VideoPauseError/timestampWentBackwards(from:to:)``.
  @discardableResult
  public mutating func setBandwidthEstimate(
    _ bitsPerSecond: Int, congestion: CongestionState = .none, at time: Timestamp
  ) throws(VideoPauseError) -> Bool {
    guard VideoPauseLimits.bitrates.contains(bitsPerSecond) else {
      throw .invalidBandwidth(bitsPerSecond)
    }
    try checkTime(time)
    changeBudget(at: time, isEstimate: true) {
      if $0.estimate == nil { $0.history.forget() }
      $0.estimate = bitsPerSecond
      $0.congestion = congestion
      $0.congestedSince = congestion == .congested ? $0.congestedSince ?? time : nil
    }
    return isDecisionDue(at: time)
  }

  /// Sets how many audio streams the subscriber receives and, if known, their total bit rate in bits per second;
  /// returns whether a decision is due.
  ///
  /// Throws ``VideoPauseError/invalidCount(_:)``, ``VideoPauseError/invalidBandwidth(_:)``,
  /// ``VideoPauseError/timestampWentBackwards(from:to:)``.
  @discardableResult
  public mutating func setAudio(
    streamCount: Int, measuredBitrate: Int? = nil, at time: Timestamp
  ) throws(VideoPauseError) -> Bool {
    guard streamCount >= 0 else { throw .invalidCount(streamCount) }
    if let rate = measuredBitrate, !VideoPauseLimits.bitrates.contains(rate) {
      throw .invalidBandwidth(rate)
    }
    try checkTime(time)
    changeBudget(at: time) {
      $0.reserve.setAudio(streamCount: streamCount, measured: measuredBitrate)
    }
    return isDecisionDue(at: time)
  }

  /// Sets the measured bit rate, in bits per second, of what else the subscriber receives through the estimated path
  /// (retransmissions, forward error correction, data channels), and returns whether a decision is due.
  ///
  /// The larger of it and ``VideoPauseConfiguration/otherTrafficReserve`` is reserved before video gets a bit. Give an
  /// average over a second or more. Throws ``VideoPauseError/invalidBandwidth(_:)``,
  /// ``VideoPauseError/timestampWentBackwards(from:to:)``.
  @discardableResult
  public mutating func setOtherTraffic(
    _ bitsPerSecond: Int, at time: Timestamp
  ) throws(VideoPauseError) -> Bool {
    guard VideoPauseLimits.bitrates.contains(bitsPerSecond) else {
      throw .invalidBandwidth(bitsPerSecond)
    }
    try checkTime(time)
    changeBudget(at: time) { $0.reserve.setOther(measured: bitsPerSecond) }
    return isDecisionDue(at: time)
  }

  /// Accounts for the available bandwidth up to `time`, then applies the change.
  private mutating func changeBudget(
    at time: Timestamp, isEstimate: Bool = false, _ change: (inout Self) -> Void
  ) {
    advance(to: time)
    change(&self)
    history.record(available, at: time)
    backlog.observe(essential: essential, available: available, isEstimate: isEstimate)
    changes.budget = true
  }

  // MARK: Time

  /// Throws if `time` is before the time of an earlier input.
  func checkTime(_ time: Timestamp) throws(VideoPauseError) {
    if let clock, time < clock { throw .timestampWentBackwards(from: clock, to: time) }
  }

  mutating func advance(to time: Timestamp) {
    if clock == nil { history.record(available, at: time) }
    // What is oversent on request is not the coordinator's to drain.
    let sent = decision.isOversending ? min(allocated, available) : allocated
    backlog.advance(to: time, sent: sent, available: available)
    clock = time
  }
}
