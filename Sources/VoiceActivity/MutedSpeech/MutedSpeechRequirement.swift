/// What must hold, beside a muted microphone, for muted speech to be looked for.
///
/// Only the calling application knows these things. All hold until it says otherwise, so an application that tells of
/// none gets the plain answer: muted, and speaking. Stream's SDK gates on the same.
public enum MutedSpeechRequirement: UInt8, Sendable, Hashable, CaseIterable {
  /// The runtime gives the sound of a muted microphone to this process. Some platforms stop it.
  case supportedByRuntime
  /// The user, or the application, wants to be told.
  case enabled
  /// The call's audio session runs: joined, not reconnecting, not held by a telephone call.
  case sessionActive
  /// The session records as well as plays; Apple's category `playAndRecord`.
  case sessionRecords
  /// The session is set up for conversation (Apple's modes `voiceChat`, `videoChat`), so that the far end's voice
  /// is taken out of the microphone's signal.
  case sessionIsConversation
  /// The participant may send audio in this call.
  case allowedToSendAudio
  /// The user has granted access to the microphone.
  case recordingPermitted
  /// Playout is mono. With stereo playout the echo canceller is usually off, and the loudspeakers would be heard as
  /// the user.
  case playoutIsNotStereo
}
