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
    try advance(to: time)
    network.setEstimate(bitsPerSecond, congestion, at: time)
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
    try advance(to: time)
    network.setAudio(streamCount: streamCount, measured: measuredBitrate, at: time)
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
    try advance(to: time)
    network.setOther(measured: bitsPerSecond, at: time)
    return isDecisionDue(at: time)
  }
}
