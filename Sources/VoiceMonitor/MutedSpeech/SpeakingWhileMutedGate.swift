/// The gate between the detector's muted speech and `isSpeakingWhileMuted`.
///
/// It is a value without a clock. Each input returns the new ``value`` if it changed and `nil` otherwise, so that equal
/// values are reported once. Inputs must come in the order in which things happened.
///
/// Speech counts if its beginning was reported while ``isDetecting``. From then on:
///
/// | what happens | ``value`` |
/// |---|---|
/// | the detector reports the end of the speech | false |
/// | unmute, a requirement lost, another input, no data from the device | false, until speech *begins* again |
/// | the end of the call | false for ever |
///
/// Speech that continues while a requirement is lost and met again, while the user unmutes and mutes again, or while
/// the device gives nothing, is therefore not reported a second time. After such a change the detector's state is out
/// of date, and a missing warning is better than one without a cause.
///
/// A beginning while not detecting is ignored and not remembered. An end always takes effect.
///
/// Threads: one at a time.
public struct SpeakingWhileMutedGate: Sendable {
  /// Whether the user speaks while nobody can hear it.
  public private(set) var value = false

  private var isMuted = false
  private var isDataFlowing = true
  private var hasEnded = false
  /// One bit for each requirement that is not met; a `Set` would allocate.
  private var unmet: UInt8 = 0
  /// Whether speech that began while detecting has neither ended nor been cut off since.
  private var isSpeech = false

  /// Creates a gate for a new call: not muted, all requirements met.
  public init() {}

  /// Whether a beginning of muted speech would count now.
  public var isDetecting: Bool { isMuted && isDataFlowing && unmet == 0 && !hasEnded }

  /// Sets whether the microphone is muted. Returns the new value if it changed.
  @discardableResult
  public mutating func setMuted(_ muted: Bool) -> Bool? {
    isMuted = muted
    return settle()
  }

  /// Sets whether a requirement is met. Returns the new value if it changed.
  @discardableResult
  public mutating func setRequirement(
    _ requirement: MutedSpeechRequirement, isMet: Bool
  ) -> Bool? {
    let bit: UInt8 = 1 << requirement.rawValue
    unmet = isMet ? unmet & ~bit : unmet | bit
    return settle()
  }

  /// Takes the detector's `VoiceActivityEvent.Kind.mutedSpeechBegin`. Returns the new value if it changed.
  @discardableResult
  public mutating func speechBegan() -> Bool? {
    isSpeech = true
    return settle()
  }

  /// Takes the detector's `VoiceActivityEvent.Kind.mutedSpeechEnd`. Returns the new value if it changed.
  @discardableResult
  public mutating func speechEnded() -> Bool? {
    isSpeech = false
    return settle()
  }

  /// Sets whether the device delivers data. Returns the new value if it changed.
  ///
  /// Speech from before an interruption no longer counts. A beginning that the detector reports during it is ignored,
  /// because no new sound has been analysed yet.
  @discardableResult
  public mutating func setDataFlowing(_ isFlowing: Bool) -> Bool? {
    isDataFlowing = isFlowing
    return settle()
  }

  /// Forgets the speech heard so far, after a change of microphone, a reconnection or a clean-up. Returns the new value
  /// if it changed.
  @discardableResult
  public mutating func inputReplaced() -> Bool? { speechEnded() }

  /// Ends the call. Returns the new value if it changed. Later inputs are ignored; a new call needs a new gate.
  @discardableResult
  public mutating func end() -> Bool? {
    hasEnded = true
    return settle()
  }

  private mutating func settle() -> Bool? {
    isSpeech = isSpeech && isDetecting
    guard isSpeech != value else { return nil }
    value = isSpeech
    return isSpeech
  }
}
