/// A condition, besides a muted microphone, that must hold for muted speech to be reported.
///
/// Only the calling application knows these conditions. All of them hold until the application says otherwise, so one
/// that sets none gets the plain answer: muted, and speaking. Stream's SDK uses the same conditions.
public enum MutedSpeechRequirement: UInt8, Sendable, Hashable, CaseIterable {
  /// The runtime passes the sound of a muted microphone to this process. Some platforms stop it.
  case supportedByRuntime = 0
  /// The user, or the application, wants the notice.
  case enabled = 1
  /// The call's audio session is active: joined, not reconnecting, and not on hold because of a telephone call.
  case sessionActive = 2
  /// The session records as well as plays (Apple's category `playAndRecord`).
  case sessionRecords = 3
  /// The session is set up for conversation (Apple's modes `voiceChat` and `videoChat`), so that the far end's voice
  /// is removed from the microphone's signal.
  case sessionIsConversation = 4
  /// The participant may send audio in this call.
  case allowedToSendAudio = 5
  /// The user has granted access to the microphone.
  case recordingPermitted = 6
  /// Playout is mono. With stereo playout the echo canceller is usually off, and the detector would take sound from the
  /// loudspeakers for the user.
  case playoutIsNotStereo = 7
}
