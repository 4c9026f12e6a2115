import TestSupport
import Testing
import VoiceActivity
import VoiceMonitor

@Suite struct SpeakingWhileMutedGateTests {
  /// A gate that was muted and then took speech.
  private static var raised: SpeakingWhileMutedGate {
    var gate = SpeakingWhileMutedGate()
    let told = gate.take([.mute, .speechBegins])
    #expect(told == [true])
    return gate
  }

  @Test("SM-01 SM-07 False at first, and nothing is detected, because the microphone is not muted")
  func theValueIsFalseAtFirst() {
    let gate = SpeakingWhileMutedGate()
    #expect(!gate.value)
    #expect(!gate.isDetecting)
  }

  @Test("SM-02 SM-03 True from the beginning of muted speech to its end, each time")
  func theValueIsTrueDuringMutedSpeech() {
    var gate = Self.raised
    #expect(gate.value)
    #expect(gate.take([.speechEnds]) == [false])
    #expect(gate.take([.speechBegins, .speechEnds]) == [true, false])
  }

  @Test("SM-04 SM-07 False at once on unmuting, and no speech raises it until the next mute")
  func unmutingSetsTheValueToFalse() {
    var gate = Self.raised
    #expect(gate.take([.unmute]) == [false])
    #expect(!gate.isDetecting)
    #expect(gate.take([.speechBegins, .mute]).isEmpty)
    #expect(gate.take([.speechBegins]) == [true])
  }

  @Test(
    "SM-05 SM-06 SM-18 Losing a requirement ends detection, and only a new beginning of speech counts",
    arguments: MutedSpeechRequirement.allCases)
  func aMissingRequirementStopsDetection(_ requirement: MutedSpeechRequirement) {
    var gate = SpeakingWhileMutedGate()
    #expect(gate.take([.mute, .lose(requirement), .speechBegins]).isEmpty)
    #expect(!gate.isDetecting)
    #expect(gate.take([.meet(requirement)]).isEmpty)
    #expect(gate.isDetecting)
    #expect(gate.take([.speechBegins, .lose(requirement)]) == [true, false])
    #expect(gate.take([.meet(requirement)]).isEmpty)
    #expect(gate.take([.speechBegins]) == [true])
  }

  @Test("SM-18 One missing requirement is sufficient, whatever the others")
  func oneMissingRequirementIsSufficient() {
    for missing in MutedSpeechRequirement.allCases {
      for other in MutedSpeechRequirement.allCases where other != missing {
        var gate = SpeakingWhileMutedGate()
        let inputs: [GateInput] = [.mute, .lose(missing), .lose(other), .meet(other)]
        #expect(gate.take(inputs + [.speechBegins]).isEmpty)
      }
    }
  }

  @Test("SM-08 The end sets the value to false, and everything after it is ignored")
  func everythingAfterTheEndIsIgnored() {
    var gate = Self.raised
    #expect(gate.take([.end]) == [false])
    let everything = GateInput.all + [.mute, .dataFlows, .speechBegins]
    #expect(gate.take(everything).isEmpty)
    #expect(!gate.isDetecting)
  }

  @Test("SM-09 Unchanged values are not reported again")
  func unchangedValuesAreNotReported() {
    var gate = SpeakingWhileMutedGate()
    let inputs: [GateInput] = [
      .unmute, .speechEnds, .mute, .mute, .speechBegins, .speechBegins, .mute, .dataFlows,
      .speechEnds, .speechEnds, .inputReplaced, .unmute, .unmute,
    ]
    #expect(gate.take(inputs) == [true, false])
  }

  @Test("SM-18 Another input, a reconnection or a clean-up: false until speech begins again")
  func aNewInputSetsTheValueToFalse() {
    var gate = Self.raised
    #expect(gate.take([.inputReplaced]) == [false])
    #expect(gate.isDetecting)
    #expect(gate.take([.dataStops, .dataFlows, .mute]).isEmpty)
    #expect(gate.take([.speechBegins]) == [true])
  }

  @Test("SM-03 SM-18 False without data, and then until speech begins again")
  func withoutDataTheValueIsFalse() {
    var gate = Self.raised
    #expect(gate.take([.dataStops, .dataStops]) == [false])
    #expect(!gate.isDetecting)
    #expect(gate.take([.dataFlows]).isEmpty)
    #expect(gate.isDetecting)
    #expect(gate.take([.speechBegins]) == [true])
    #expect(gate.take([.dataStops, .speechEnds, .dataFlows]) == [false])
    // A beginning from before, which the detector decides when a gap is pushed.
    #expect(gate.take([.dataStops, .speechBegins, .speechEnds, .dataFlows]).isEmpty)
    #expect(gate.take([.dataStops, .speechBegins, .dataFlows]).isEmpty)
    #expect(gate.take([.speechBegins]) == [true])
  }

  @Test("SM-19 A beginning while nothing is detected is forgotten; an end always sets false")
  func aBeginningWithoutDetectionIsForgotten() {
    var gate = SpeakingWhileMutedGate()
    #expect(gate.take([.speechBegins, .mute]).isEmpty)
    #expect(gate.take([.speechBegins, .lose(.enabled), .speechBegins]) == [true, false])
    #expect(gate.take([.speechEnds, .meet(.enabled)]).isEmpty)
    var other = Self.raised
    #expect(other.take([.speechEnds]) == [false])
  }
}

/// The sequences that Stream's SDK uses to test its own gate, as facts.
@Suite struct StreamSequenceTests {
  struct Sequence: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let inputs: [GateInput]
    let changes: [Bool]
    let isDetecting: Bool
  }

  static let sequences: [Sequence] =
    [
      .init(testDescription: "muted and allowed", inputs: [.mute], changes: [], isDetecting: true),
      .init(
        testDescription: "began, ended", inputs: [.mute, .speechBegins, .speechEnds],
        changes: [true, false], isDetecting: true),
      .init(
        testDescription: "unmuted while true", inputs: [.mute, .speechBegins, .unmute],
        changes: [true, false], isDetecting: false),
      .init(
        testDescription: "session deactivated while true",
        inputs: [.mute, .speechBegins, .lose(.sessionActive)], changes: [true, false],
        isDetecting: false),
      .init(
        testDescription: "began while detection is off",
        inputs: [.mute, .lose(.enabled), .speechBegins], changes: [], isDetecting: false),
      .init(
        testDescription: "began twice", inputs: [.mute, .speechBegins, .speechBegins],
        changes: [true], isDetecting: true),
      .init(
        testDescription: "reconnection", inputs: [.mute, .speechBegins, .inputReplaced],
        changes: [true, false], isDetecting: true),
      .init(
        testDescription: "clean-up", inputs: [.mute, .speechBegins, .end],
        changes: [true, false], isDetecting: false),
    ]

  @Test(
    "SM-02 SM-03 SM-04 SM-06 SM-08 SM-09 SM-18 SM-19 Each sequence gives the values of Stream's gate",
    arguments: sequences)
  func sequencesMatchStreamsGate(_ sequence: Sequence) {
    var gate = SpeakingWhileMutedGate()
    #expect(gate.take(sequence.inputs) == sequence.changes)
    #expect(gate.isDetecting == sequence.isDetecting)
  }

  @Test("SM-18 A late observer finds the present value")
  func aLateObserverFindsThePresentValue() {
    var gate = SpeakingWhileMutedGate()
    _ = gate.take([.mute, .speechBegins])
    #expect(gate.value)
  }
}

/// The gate against its definition, computed from the whole history each time.
@Suite struct SpeakingWhileMutedDefinitionTests {
  /// Returns whether the gate is muted, all requirements are met and the call is not over, by the last input of each.
  private func isDetecting(after history: ArraySlice<GateInput>) -> Bool {
    let isMuted = history.last { $0 == .mute || $0 == .unmute } == .mute
    let areMet = MutedSpeechRequirement.allCases.allSatisfy { requirement in
      history.last { $0 == .meet(requirement) || $0 == .lose(requirement) } != .lose(requirement)
    }
    let isFlowing = history.last { $0 == .dataStops || $0 == .dataFlows } != .dataStops
    return isMuted && isFlowing && areMet && !history.contains(.end)
  }

  private func cutsOff(_ input: GateInput) -> Bool {
    switch input {
    case .unmute, .lose, .speechEnds, .dataStops, .inputReplaced, .end: true
    default: false
    }
  }

  /// Returns whether speech began while detecting and nothing has cut it off since.
  private func definition(_ history: [GateInput]) -> Bool {
    let lastCut = history.lastIndex(where: cutsOff) ?? -1
    return history.indices.contains { index in
      index > lastCut && history[index] == .speechBegins && isDetecting(after: history[..<index])
    }
  }

  @Test(
    "SM-02 SM-03 SM-04 SM-05 SM-06 SM-07 SM-08 SM-09 SM-18 SM-19 Random histories match the definition",
    arguments: 0..<12 as Range<UInt64>)
  func randomHistoriesMatchTheDefinition(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    // Most inputs cut speech off or lose something. Without more of those that raise, the value would hardly ever rise.
    let raising: [GateInput] =
      [.mute, .speechBegins, .speechBegins, .dataFlows]
      + MutedSpeechRequirement.allCases.map { .meet($0) }
    let inputs = GateInput.all.filter { $0 != .end } + (0..<6).flatMap { _ in raising }
    var gate = SpeakingWhileMutedGate()
    var history: [GateInput] = []
    var raised = 0
    for step in 0..<250 {
      let input = step == 240 ? .end : inputs.randomElement(using: &generator)!
      let before = definition(history)
      history.append(input)
      let after = definition(history)
      #expect(gate.take(input) == (after == before ? nil : after), "step \(step), \(input)")
      #expect(gate.value == after)
      #expect(gate.isDetecting == isDetecting(after: history[...]))
      raised += after && !before ? 1 : 0
    }
    #expect(raised > 0)
  }
}

/// The gate after the real detector.
@Suite struct DetectorAndGateTests {
  @Test(
    "SM-02 SM-03 SM-07 Each phrase of a recording is reported when muted, and none when unmuted"
  )
  func eachMutedPhraseIsReported() throws {
    let samples = try TelephoneSpeech.samples(rate: 16_000)
    for muted in [true, false] {
      var configuration = VoiceActivityDetector.Configuration()
      configuration.muteGrace = .zero
      configuration.mutedSpeechHold = .zero
      configuration.mutedSpeechRelease = .zero
      var detector = try VoiceActivityDetector(configuration: configuration)
      var gate = SpeakingWhileMutedGate()
      detector.setMuted(muted)
      gate.setMuted(muted)
      var told: [(value: Bool, seconds: Double)] = []
      let take = { (event: VoiceActivityEvent) in
        let new =
          switch event.kind {
          case .mutedSpeechBegin: gate.speechBegan()
          case .mutedSpeechEnd: gate.speechEnded()
          default: Bool?.none
          }
        if let new { told.append((new, Double(event.position) / 16_000)) }
      }
      detector.process(samples.span, onEvent: take)
      detector.flush(onEvent: take)
      let phrases = muted ? TelephoneSpeech.phrases : []
      #expect(told.map(\.value) == phrases.flatMap { _ in [true, false] })
      for (change, expected) in zip(told, phrases.flatMap { [$0.lowerBound, $0.upperBound] }) {
        #expect(abs(change.seconds - expected) < 0.5)
      }
    }
  }
}
