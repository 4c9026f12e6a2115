public import VoiceActivity

/// A tracker of one input's health, hop by hop.
///
/// It never returns ``SignalHealth/noData``, because only who waits for the input knows that. When data flows again,
/// the device may be a different one: make a new tracker.
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
    silence.step(hop)
    background.step(hop)
    clipping.step(hop)
    let new = verdict
    guard new != value else { return nil }
    value = new
    return new
  }

  private var verdict: SignalHealth {
    if silence.isDigital { return .digitalSilence }
    if background.isDead { return .deadLine }
    if clipping.isClipping { return .clipping }
    return background.isAlive ? .good : .starting
  }
}
