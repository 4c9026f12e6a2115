public import VoiceActivity

/// A tracker of one input's health, hop by hop.
///
/// It is a value of constant size without a clock; it counts time in hops. It neither allocates nor locks. Missing hops
/// do not count, because they result from the transport and not from the microphone.
///
/// Threads: one at a time.
public struct SignalHealthTracker: Sendable {
  /// The health after the last hop.
  public private(set) var value = SignalHealth.starting

  private var silence = SilenceWatch()
  private var background = BackgroundWatch()
  private var clipping = ClippingWatch()

  /// Creates a tracker for a new input.
  public init() {}

  /// Takes a hop.
  ///
  /// - Returns: The new health if it changed, otherwise `nil`.
  public mutating func step(_ hop: VoiceActivityHop) -> SignalHealth? {
    guard !hop.isMissing else { return nil }
    // Forget what was known from before the interruption; the device may be a different one.
    if value == .noData { (silence, background, clipping) = (.init(), .init(), .init()) }
    silence.step(hop)
    background.step(hop)
    clipping.step(hop)
    return set(verdict)
  }

  /// Records that the device has delivered nothing for too long. The next hop starts from nothing.
  ///
  /// - Returns: The new health if it changed, otherwise `nil`.
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
