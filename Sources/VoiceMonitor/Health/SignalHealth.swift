/// The condition of the microphone, which distinguishes "you are silent" from "you are not heard".
public enum SignalHealth: UInt8, Sendable, Hashable, CaseIterable {
  /// The tracker has not heard enough to decide.
  case starting
  /// Sound arrives. The detector decides whether it is speech.
  case good
  /// The input has been nothing but zeros for 2 s. Microphones with a gate or a noise suppressor give zeros between
  /// words, hence the 2 s. A longer pause on such a microphone looks like a mute in the mixer, because the signal is
  /// the same.
  case digitalSilence
  /// The input has been near-silent noise without movement for 5 s, or for 10 s if nothing else was heard yet. An
  /// unconnected input gives this, and so does a microphone that its own switch mutes.
  case deadLine
  /// Much of the last second reached full scale.
  case clipping
  /// The source is overdue (``VoiceActivityMonitor/Configuration/noDataAfter``).
  case noData
  /// The source mixes its channels, and they cancel each other: the mean has lost the last second with sound
  /// (`PCMSource.channelsCancel`). Listen to one of them, or to each.
  case cancelling
}

extension SignalHealth: CustomStringConvertible {
  /// A sentence for users: what is wrong, and what to do about it.
  public var description: String {
    switch self {
    case .starting: "Listening; too little has been heard to judge the input."
    case .good: "The input is heard."
    case .digitalSilence:
      "The input is digital silence: unmute the microphone in the mixer, or choose another input."
    case .deadLine:
      "The input is only faint, unchanging noise: check the microphone's mute switch, plug and gain."
    case .clipping: "The input is overdriven: lower its gain, or speak from farther away."
    case .noData:
      "The input delivers nothing: plug it in again, close what else uses it, or choose another input."
    case .cancelling:
      "The input's channels cancel each other when they are mixed: listen to one of them, or to each."
    }
  }
}
