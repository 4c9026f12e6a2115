import CVoiceActivity
import CVoiceActivityInternals
import TestSupport
import Testing

@Suite struct HysteresisTests {
  /// Runs posteriors given as letters: `S` above the onset threshold, `s` between the two, `.` below the offset
  /// threshold. Returns the states as letters (`.` silence, `p` pending, `S` speech, `h` hangover) and the segments in
  /// hops.
  func run(_ posteriors: String, debounce: UInt32, hangover: UInt32) -> (
    states: String, segments: [Range<UInt64>]
  ) {
    var config = va_config()
    va_config_default(&config, 16_000)
    config.onset_threshold = 0.6
    config.offset_threshold = 0.4
    config.onset_debounce_ms = debounce
    config.hangover_ms = hangover
    var hysteresis = va_hysteresis()
    va_hysteresis_init(&hysteresis, &config)
    var states = ""
    var segments: [Range<UInt64>] = []
    for (hop, letter) in posteriors.enumerated() {
      let posterior: Float = letter == "S" ? 0.9 : letter == "s" ? 0.5 : 0.1
      if va_hysteresis_step(&hysteresis, posterior, UInt64(hop)) == VA_SPEECH_ENDED {
        segments.append(hysteresis.onset..<hysteresis.offset)
      }
      states.append(Array(".pSh")[Int(hysteresis.state)])
    }
    if va_hysteresis_end(&hysteresis) == VA_SPEECH_ENDED {
      segments.append(hysteresis.onset..<hysteresis.offset)
    }
    return (states, segments)
  }

  struct Case: Sendable {
    let debounce, hangover: UInt32
    let posteriors, states: String
    let segments: [Range<UInt64>]
  }

  static let cases = [
    // With 0 every hop decides.
    Case(debounce: 0, hangover: 0, posteriors: ".S.S", states: ".S.S", segments: [1..<2, 3..<4]),
    Case(debounce: 10, hangover: 10, posteriors: ".S.S", states: ".S.S", segments: [1..<2, 3..<4]),
    // Between the thresholds nothing begins and nothing ends, but what begins later is dated back to there.
    Case(debounce: 0, hangover: 0, posteriors: "ss.ss", states: ".....", segments: []),
    Case(debounce: 0, hangover: 0, posteriors: "ssSss.", states: "..SSS.", segments: [0..<5]),
    Case(debounce: 0, hangover: 0, posteriors: "ss.sS.", states: "....S.", segments: [3..<5]),
    Case(debounce: 30, hangover: 0, posteriors: ".sSSS.", states: "..ppS.", segments: [1..<5]),
    // A new onset does not reach back into the speech before it, nor across the hop that ended it.
    Case(
      debounce: 0, hangover: 0, posteriors: "Ss.sS.", states: "SS..S.", segments: [0..<2, 3..<5]),
    Case(
      debounce: 0, hangover: 30, posteriors: "S...sS", states: "Shh..S", segments: [0..<1, 4..<6]),
    // At most 20 hops, from the first hop above the onset threshold.
    Case(
      debounce: 0, hangover: 0, posteriors: String(repeating: "s", count: 30) + "S",
      states: String(repeating: ".", count: 30) + "S", segments: [10..<31]),
    Case(
      debounce: 30, hangover: 0, posteriors: String(repeating: "s", count: 21) + "SSS",
      states: String(repeating: ".", count: 21) + "ppS", segments: [1..<24]),
    // Debounce: the onset is the first hop, decided at the third; a dip restarts the debounce.
    Case(debounce: 30, hangover: 0, posteriors: ".SSS.", states: ".ppS.", segments: [1..<4]),
    Case(debounce: 30, hangover: 0, posteriors: "SS.SSSS.", states: "pp.ppSS.", segments: [3..<7]),
    Case(debounce: 30, hangover: 0, posteriors: "SSsSSS", states: "pp.ppS", segments: [0..<6]),
    Case(debounce: 25, hangover: 0, posteriors: "SSS.", states: "ppS.", segments: [0..<3]),
    // Hangover: a short pause does not split speech, and the segment ends where the speech did.
    Case(debounce: 0, hangover: 30, posteriors: "S..S...", states: "ShhShh.", segments: [0..<4]),
    Case(debounce: 0, hangover: 30, posteriors: "S..s..S", states: "ShhShhS", segments: [0..<7]),
    // The stream ends in speech, in hangover, in pending.
    Case(debounce: 0, hangover: 30, posteriors: ".SS", states: ".SS", segments: [1..<3]),
    Case(debounce: 0, hangover: 30, posteriors: ".SS.", states: ".SSh", segments: [1..<3]),
    Case(debounce: 30, hangover: 30, posteriors: ".SS", states: ".pp", segments: []),
    Case(debounce: 0, hangover: 0, posteriors: "", states: "", segments: []),
  ]

  @Test(arguments: cases)
  func transitionsFollowTheTable(_ example: Case) {
    let result = run(example.posteriors, debounce: example.debounce, hangover: example.hangover)
    #expect(result.states == example.states, "\(example)")
    #expect(result.segments == example.segments, "\(example)")
  }

  /// The onset is found by walking back from the decision, without any state.
  @Test func onsetsLieWhereThePosteriorRose() {
    var random = SeededGenerator(seed: 5)
    for _ in 0..<2000 {
      let letters = (0..<60).map { _ in "..ssssSSS".randomElement(using: &random)! }
      let debounce = Int.random(in: 1...4, using: &random)
      let result = run(
        String(letters), debounce: UInt32(debounce * 10),
        hangover: .random(in: 0...50, using: &random))
      let states = Array(result.states)
      let onsets = states.indices.filter { hop in
        "Sh".contains(states[hop]) && (hop == 0 || !"Sh".contains(states[hop - 1]))
      }
      let expected = onsets.map { decided in
        let first = decided - debounce + 1
        var onset = first
        while onset > max(0, first - 20), letters[onset - 1] != "." { onset -= 1 }
        return UInt64(onset)
      }
      #expect(result.segments.map(\.lowerBound) == expected, "\(String(letters))")
    }
  }

  /// A posterior equal to a threshold counts as above it.
  @Test func thresholdsAreInclusive() {
    var config = va_config()
    va_config_default(&config, 16_000)
    config.onset_debounce_ms = 0
    config.hangover_ms = 0
    var hysteresis = va_hysteresis()
    va_hysteresis_init(&hysteresis, &config)
    #expect(va_hysteresis_step(&hysteresis, config.onset_threshold.nextDown, 0) == VA_NO_TRANSITION)
    #expect(va_hysteresis_step(&hysteresis, config.onset_threshold, 1) == VA_SPEECH_BEGAN)
    #expect(va_hysteresis_step(&hysteresis, config.offset_threshold, 2) == VA_NO_TRANSITION)
    #expect(va_hysteresis_step(&hysteresis, config.offset_threshold.nextDown, 3) == VA_SPEECH_ENDED)
  }
}
