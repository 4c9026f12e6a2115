import CVoiceActivity
import CVoiceActivityInternals
import Testing

@Suite struct MuteGateTests {
  struct Case: Sendable {
    let title: String
    var grace: UInt32 = 0
    var carryOver: UInt32 = 0
    var hold: UInt32 = 0
    var release: UInt32 = 0
    /// One letter a hop: `M` muted, `.` not muted.
    let muted: String
    /// `S` speech, `h` speech that is hardly near, `f` speech that is far, `.` no speech.
    let speech: String
    /// `1` where muted speech is expected after the hop.
    let expected: String
  }

  /// Cases from the definition of muted speech: an onset later than the grace after the mute, or speech from
  /// before that still runs for the carry-over after the grace; held; released; ended by an unmute.
  static let cases = [
    Case(title: "nobody mutes", muted: "......", speech: ".SSSS.", expected: "000000"),
    Case(title: "nobody speaks", muted: "MMMMMM", speech: "......", expected: "000000"),
    Case(title: "speaks while muted", muted: "MMMMMM", speech: "..SS..", expected: "001100"),
    Case(
      title: "muted in the middle, no times", muted: "..MMMM", speech: "SSSSS.", expected: "001110"),
    Case(
      title: "unmute ends at once", hold: 100, release: 100, muted: "MMMM..", speech: "SSSSSS",
      expected: "111100"),
    Case(
      title: "onset within the grace is the end of a sentence", grace: 30, carryOver: 1000,
      muted: "MMMMMMMM", speech: "..SSSSS.", expected: "00000000"),
    Case(
      title: "onset at the end of the grace counts", grace: 20, carryOver: 1000,
      muted: "MMMMMMMM", speech: "..SSSSS.", expected: "00111110"),
    Case(
      title: "speech from before the mute, carried over", grace: 20, carryOver: 30,
      muted: "..MMMMMMMM", speech: "SSSSSSSSS.", expected: "0000000110"),
    Case(title: "two short words", muted: "MMMMMMMM", speech: ".S..S...", expected: "01001000"),
    Case(
      title: "hold bridges and outlasts", hold: 40, muted: "MMMMMMMM", speech: ".S..S...",
      expected: "01111000"),
    Case(
      title: "release bridges", release: 20, muted: "MMMMMMMM", speech: ".S..S...",
      expected: "01111110"),
    Case(
      title: "muting again starts the grace again", grace: 30, carryOver: 1000,
      muted: "MMMMMM.MMMM", speech: "....SS.SSSS", expected: "00001100000"),
    Case(title: "far", muted: "MMMMMM", speech: ".ffff.", expected: "000000"),
    Case(title: "far, then near", muted: "MMMMMM", speech: ".ffSS.", expected: "000110"),
    Case(title: "hardly near", muted: "MMMMMM", speech: ".hhhh.", expected: "000000"),
    Case(title: "near, hardly near, far", muted: "MMMMMM", speech: ".Shhff", expected: "011100"),
    Case(
      title: "far speech does not prolong", release: 20, muted: "MMMMMMM", speech: ".Sfffff",
      expected: "0111000"),
  ]

  @Test(arguments: cases)
  func transitionsFollowTheTable(_ example: Case) {
    var config = va_config()
    va_config_default(&config, 16_000)
    config.mute_grace_ms = example.grace
    config.mute_carry_over_ms = example.carryOver
    config.muted_speech_hold_ms = example.hold
    config.muted_speech_release_ms = example.release
    var gate = va_mute_gate()
    va_mute_gate_init(&gate, &config)
    var onset: UInt64 = 0
    var before: Character = "."
    var states = ""
    var changes: [va_mute_change] = []
    for (hop, (muted, speech)) in zip(example.muted, example.speech).enumerated() {
      if speech != "." && before == "." { onset = UInt64(hop) }
      before = speech
      let input = va_mute_input(
        hop: UInt64(hop), newest: UInt64(hop), onset: onset, is_speech: speech != ".",
        muted: muted == "M",
        nearness: speech == "f" ? VA_FAR : speech == "h" ? VA_HARDLY_NEAR : VA_NEAR)
      let change = va_mute_gate_step(&gate, [input])
      if change != VA_MUTE_NO_CHANGE { changes.append(change) }
      states.append(gate.speaking ? "1" : "0")
    }
    #expect(states == example.expected, "\(example.title)")
    // Begin and end alternate.
    for (index, change) in changes.enumerated() {
      #expect(change == (index % 2 == 0 ? VA_MUTED_SPEECH_BEGAN : VA_MUTED_SPEECH_ENDED))
    }
  }

  /// The end of the stream ends muted speech once, whatever is left of its hold, and does not unmute.
  @Test func theEndOfTheStreamEndsMutedSpeechAndLeavesTheMute() {
    var config = va_config()
    va_config_default(&config, 16_000)
    config.mute_grace_ms = 0
    var gate = va_mute_gate()
    va_mute_gate_init(&gate, &config)
    #expect(va_mute_gate_end(&gate) == VA_MUTE_NO_CHANGE)
    let speech = va_mute_input(
      hop: 7, newest: 7, onset: 7, is_speech: true, muted: true, nearness: VA_NEAR)
    #expect(va_mute_gate_step(&gate, [speech]) == VA_MUTED_SPEECH_BEGAN)
    #expect(va_mute_gate_end(&gate) == VA_MUTED_SPEECH_ENDED)
    #expect(va_mute_gate_end(&gate) == VA_MUTE_NO_CHANGE)
    #expect(gate.muted && !gate.speaking)
  }
}
