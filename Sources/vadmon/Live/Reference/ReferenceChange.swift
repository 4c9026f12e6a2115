import VoiceMonitor

/// What changed about the reference.
enum ReferenceChange: Sendable, Hashable {
  /// It delivers again, or has given nothing for a second.
  case delivers(Bool)
  /// Another device is the default output, and its monitor the reference.
  case follows(device: String)
  /// The microphone hears the reference itself.
  case isCopy
  /// What was named, or is the default output's monitor now, is the microphone.
  case isMicrophone
  /// A source does not know when it captured.
  case isUntimed

  /// The value in JSON.
  var name: String {
    switch self {
    case .delivers(true), .follows: SignalHealth.good.name
    case .delivers(false): SignalHealth.noData.name
    case .isCopy, .isMicrophone: "copy"
    case .isUntimed: "untimed"
    }
  }

  var device: String? { if case .follows(let device) = self { device } else { nil } }

  /// The text for people.
  var sentence: String {
    switch self {
    case .delivers(true): "the reference delivers"
    case .delivers(false): "the reference gives no data: the loudspeaker counts as silent"
    case .follows(let device): "the default output has changed: the reference is now \(device)"
    case .isCopy:
      "the microphone is a copy of the reference, so that all of it counts as echo: name the monitor of the output that "
        + "is heard"
    case .isMicrophone:
      "the reference is the microphone itself, so it is not used: name the monitor of the output that is heard"
    case .isUntimed:
      "the reference is aligned by the order of arrival, because a device does not tell when it captured: a busy "
        + "computer disturbs it"
    }
  }
}
