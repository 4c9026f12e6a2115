internal import CVoiceActivity

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
/// | unmute | false, until the detector reports muted speech again |
/// | a requirement lost, another input, no data from the device | false, until speech *begins* again |
/// | the end of the call | false for ever |
///
/// Speech that continues while a requirement is lost and met again, or while the device gives nothing, is therefore not
/// reported a second time. After such a change the detector's state is out of date, and a missing warning is better
/// than one without a cause.
///
/// A beginning while not detecting is ignored and not remembered. An end always takes effect.
///
/// Threads: one at a time.
public struct SpeakingWhileMutedGate: Sendable {
  private var gate = va_speaking_gate()

  /// Creates a gate for a new call: not muted, all requirements met.
  public init() { va_speaking_gate_init(&gate) }

  /// Whether the user speaks while nobody can hear it.
  public var value: Bool { gate.is_speaking }

  /// Whether a beginning of muted speech would count now.
  public var isDetecting: Bool { gate.unmet == 0 }

  /// Whether the microphone is muted, as it was last set.
  var isMuted: Bool { gate.unmet & 1 << VA_REQUIREMENT_MICROPHONE_MUTED.rawValue == 0 }

  /// Sets whether the microphone is muted. Returns the new value if it changed.
  @discardableResult
  public mutating func setMuted(_ muted: Bool) -> Bool? {
    set(VA_REQUIREMENT_MICROPHONE_MUTED, muted)
  }

  /// Sets whether a requirement is met. Returns the new value if it changed.
  @discardableResult
  public mutating func setRequirement(
    _ requirement: MutedSpeechRequirement, isMet: Bool
  ) -> Bool? {
    set(va_requirement(rawValue: numericCast(requirement.rawValue)), isMet)
  }

  /// Takes the detector's beginning of muted speech. Returns the new value if it changed.
  @discardableResult
  public mutating func speechBegan() -> Bool? { setSpeech(true) }

  /// Takes the detector's end of muted speech. Returns the new value if it changed.
  @discardableResult
  public mutating func speechEnded() -> Bool? { setSpeech(false) }

  /// Sets whether the device delivers data. Returns the new value if it changed.
  ///
  /// Speech from before an interruption no longer counts. A beginning that the detector reports during it is ignored,
  /// because no new sound has been analysed yet.
  @discardableResult
  public mutating func setDataFlowing(_ isFlowing: Bool) -> Bool? {
    set(VA_REQUIREMENT_DATA_FLOWING, isFlowing)
  }

  /// Forgets the speech heard so far, after a change of microphone, a reconnection or a clean-up. Returns the new value
  /// if it changed.
  @discardableResult
  public mutating func inputReplaced() -> Bool? { setSpeech(false) }

  /// Ends the call. Returns the new value if it changed. Later inputs are ignored; a new call needs a new gate.
  @discardableResult
  public mutating func end() -> Bool? { va_speaking_gate_end(&gate) ? value : nil }

  private mutating func set(_ requirement: va_requirement, _ isMet: Bool) -> Bool? {
    va_speaking_gate_set(&gate, requirement, isMet) ? value : nil
  }

  private mutating func setSpeech(_ isSpeech: Bool) -> Bool? {
    va_speaking_gate_set_speech(&gate, isSpeech) ? value : nil
  }
}
