/// Follows the health of one input, hop by hop.
///
/// A value of constant size without a clock; time is counted in hops. Neither allocates nor locks. For one thread at a
/// time. Missing hops count for nothing: they say how the sound was carried, not how it was made.
public struct SignalHealthTracker: Sendable {
  /// As of the last hop.
  public private(set) var value = SignalHealth.starting

  private var silence = SilenceWatch()
  private var background = BackgroundWatch()
  private var clipping = ClippingWatch()

  /// A tracker for a new input.
  public init() {}

  /// - Returns: the new health if it changed.
  public mutating func step(_ hop: VoiceActivityHop) -> SignalHealth? {
    guard !hop.isMissing else { return nil }
    // Whatever was known is of the time before; the device may be another.
    if value == .noData { (silence, background, clipping) = (.init(), .init(), .init()) }
    silence.step(hop)
    background.step(hop)
    clipping.step(hop)
    return set(verdict)
  }

  /// The device has delivered nothing for so long that somebody should be told. The next hop starts anew.
  ///
  /// - Returns: the new health if it changed.
  public mutating func noData() -> SignalHealth? { set(.noData) }

  private var verdict: SignalHealth {
    if silence.isDigital { return .digitalSilence }
    if background.isDead { return .deadLine }
    if clipping.isClipping { return .clipping }
    return background.isAlive ? .good : .starting
  }

  private mutating func set(_ new: SignalHealth) -> SignalHealth? {
    guard new != value else { return nil }
    value = new
    return new
  }
}
