/// Whether the microphone hears at all: tells "you are silent" from "you are not heard".
public enum SignalHealth: UInt8, Sendable, Hashable, CaseIterable {
  /// Too little was heard to tell.
  case starting
  /// Sound comes in; whether it is speech is the detector's business.
  case good
  /// Nothing but zeros, for 2 s. Microphones with a gate or a noise suppressor give zeros between words, hence the
  /// 2 s; a longer pause on such a microphone looks like a mute in the mixer, because it is the same signal.
  case digitalSilence
  /// Near-silent noise that has not moved for 5 s, or 10 s if nothing else was heard yet: what an input gives to which
  /// nothing is connected, or whose microphone is muted by a switch of its own.
  case deadLine
  /// Much of the last second was at full scale.
  case clipping
  /// The source is overdue (``VoiceActivityMonitor/Configuration/noDataAfter``).
  case noData
}

extension SignalHealth: CustomStringConvertible {
  /// A sentence for people: what is the matter, and what to do about it.
  public var description: String {
    switch self {
    case .starting: "Listening; too little was heard yet to tell how the microphone does."
    case .good: "The microphone is heard."
    case .digitalSilence:
      "The microphone gives digital silence: unmute it in the mixer or the system's settings, or choose another input."
    case .deadLine:
      "The microphone gives only faint, unchanging noise: check its mute switch, its plug and its gain."
    case .clipping: "The microphone is overdriven: lower its gain, or speak from farther away."
    case .noData:
      "The microphone delivers nothing: plug it in again, close what else uses it, or choose another input."
    }
  }
}
