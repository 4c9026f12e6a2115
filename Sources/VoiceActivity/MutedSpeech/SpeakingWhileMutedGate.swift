/// Decides `isSpeakingWhileMuted`: what the detector says, as far as anybody should be told of it.
///
/// A value without a clock: each input returns the new ``value`` if it changed, otherwise `nil`, so that equal values
/// are told once. For one thread at a time; inputs are taken in the order in which things happened.
///
/// Speech counts if its beginning was said while ``isDetecting``. From there on:
///
/// | what happens | ``value`` |
/// |---|---|
/// | the detector says that the speech ended | false |
/// | unmute, a requirement lost, another input, no data from the device | false, and stays so until speech *begins* again |
/// | the end | false for ever |
///
/// So speech that goes on while a requirement is lost and met again, while somebody unmutes and mutes, or while the
/// device gives nothing, is not reported a second time: after such a change the detector's state belongs to the past,
/// and a warning too few is better than one that comes out of nothing.
///
/// A beginning while not detecting is ignored and not remembered. An end is always believed.
public struct SpeakingWhileMutedGate: Sendable {
  /// The user speaks, and nobody hears it.
  public private(set) var value = false

  private var isMuted = false
  private var isDataFlowing = true
  private var hasEnded = false
  /// A bit for each requirement that is not met; a `Set` would allocate.
  private var unmet: UInt8 = 0
  /// Speech that began while detecting and neither ended nor was cut off since.
  private var isSpeech = false

  /// A gate for a new call: not muted, everything met.
  public init() {}

  /// A beginning of muted speech would be believed.
  public var isDetecting: Bool { isMuted && isDataFlowing && unmet == 0 && !hasEnded }

  /// The host mutes or unmutes. Returns the new state if it has changed.
  @discardableResult
  public mutating func setMuted(_ muted: Bool) -> Bool? {
    isMuted = muted
    return settle()
  }

  /// Something that the state needs is there or not. Returns the new state if it has changed.
  @discardableResult
  public mutating func setRequirement(
    _ requirement: MutedSpeechRequirement, isMet: Bool
  ) -> Bool? {
    let bit: UInt8 = 1 << requirement.rawValue
    unmet = isMet ? unmet & ~bit : unmet | bit
    return settle()
  }

  /// The detector's ``VoiceActivityEvent/Kind/mutedSpeechBegin``.
  @discardableResult
  public mutating func speechBegan() -> Bool? {
    isSpeech = true
    return settle()
  }

  /// The detector's ``VoiceActivityEvent/Kind/mutedSpeechEnd``.
  @discardableResult
  public mutating func speechEnded() -> Bool? {
    isSpeech = false
    return settle()
  }

  /// Whether the device delivers. Speech from before an interruption counts no longer, and a beginning that the detector
  /// reports during it is ignored: no new sound has been analysed yet. Returns the new state if it has changed.
  @discardableResult
  public mutating func setDataFlowing(_ isFlowing: Bool) -> Bool? {
    isDataFlowing = isFlowing
    return settle()
  }

  /// Another microphone, a reconnection, a clean-up: what was heard so far counts no longer.
  @discardableResult
  public mutating func inputReplaced() -> Bool? { speechEnded() }

  /// The call is over. Everything after it is ignored; a new call has a new gate.
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
