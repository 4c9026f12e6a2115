import CVoiceActivity
import CVoiceActivityInternals
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
    // Between the thresholds nothing begins and nothing ends.
    Case(debounce: 0, hangover: 0, posteriors: "ssSss.", states: "..SSS.", segments: [2..<5]),
    // Debounce: the onset is the first hop, decided at the third; a dip restarts the debounce.
    Case(debounce: 30, hangover: 0, posteriors: ".SSS.", states: ".ppS.", segments: [1..<4]),
    Case(debounce: 30, hangover: 0, posteriors: "SS.SSSS.", states: "pp.ppSS.", segments: [3..<7]),
    Case(debounce: 30, hangover: 0, posteriors: "SSsSSS", states: "pp.ppS", segments: [3..<6]),
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
