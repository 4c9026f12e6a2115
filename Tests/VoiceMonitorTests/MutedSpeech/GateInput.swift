import VoiceMonitor

@testable import VoiceActivity

/// The inputs of a gate, as data.
enum GateInput: Hashable {
  case mute, unmute
  case meet(MutedSpeechRequirement)
  case lose(MutedSpeechRequirement)
  case speechBegins, speechEnds
  case dataStops, dataFlows
  case inputReplaced
  case end

  static let all: [GateInput] =
    [
      .mute, .unmute, .speechBegins, .speechEnds, .dataStops, .dataFlows, .inputReplaced, .end,
    ] + MutedSpeechRequirement.allCases.flatMap { [.meet($0), .lose($0)] }
}

extension SpeakingWhileMutedGate {
  mutating func take(_ input: GateInput) -> Bool? {
    switch input {
    case .mute: setMuted(true)
    case .unmute: setMuted(false)
    case .meet(let requirement): setRequirement(requirement, isMet: true)
    case .lose(let requirement): setRequirement(requirement, isMet: false)
    case .speechBegins: speechBegan()
    case .speechEnds: speechEnded()
    case .dataStops: setDataFlowing(false)
    case .dataFlows: setDataFlowing(true)
    case .inputReplaced: inputReplaced()
    case .end: end()
    }
  }

  /// Takes the inputs and returns the values that the gate reports.
  mutating func take(_ inputs: [GateInput]) -> [Bool] { inputs.compactMap { take($0) } }
}
