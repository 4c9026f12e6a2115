import Testing

@testable import PauseTrace

/// A message asks for a range: values in it are accepted, and values beyond it are not.
@Suite struct TraceRangeTests {
  private static let camera =
    #"{"at": 0, "type": "stream", "participant": "alice", "layers": [{"spatial": 0, "width": 320, "height": 180, "bps": 150000}]}"#

  /// Lines with `@` in place of a number.
  private static let lines = [
    layer(#""spatial": @, "width": 2, "height": 2, "bps": 1"#),
    layer(#""spatial": 0, "temporal": @, "width": 2, "height": 2, "bps": 1"#),
    layer(#""spatial": 0, "width": @, "height": 2, "bps": 1"#),
    layer(#""spatial": 0, "width": 2, "height": @, "bps": 1"#),
    layer(#""spatial": 0, "width": 2, "height": 2, "bps": @"#),
    layer(#""spatial": 0, "width": 2, "height": 2, "bps": 1, "fps": @"#),
    demand(#""view": {"width": @, "height": 2}"#), demand(#""view": {"width": 2, "height": @}"#),
    demand(#""pin": {"at": @}"#),
    #"{"at": 0, "type": "estimate", "bps": @}"#, #"{"at": 0, "type": "audio", "streams": @}"#,
    #"{"at": 0, "type": "audio", "streams": 1, "measured_bps": @}"#,
    #"{"at": 0, "type": "other_traffic", "bps": @}"#,
    #"{"at": 0, "type": "last_n", "count": @}"#,
  ]

  private static func layer(_ members: String) -> String {
    #"{"at": 0, "type": "stream", "participant": "bob", "layers": [{\#(members)}]}"#
  }

  private static func demand(_ member: String) -> String {
    #"{"at": 0, "type": "demand", "participant": "alice", \#(member)}"#
  }

  /// Settings, with the other settings that allow them to take both ends of their ranges.
  private static let settings = [
    "initial_estimate_bps", "audio_bitrate_per_stream_bps", "audio_stream_limit", "audio_headroom",
    "other_traffic_reserve_bps", "grow_margin", "evidence_window_ms", "tolerated_queue_ms",
    "tolerated_outage_ms",
    "decision_interval_ms", "hold_off_ms", "resume_limit", "gate_period_ms", "lock_timeout_ms",
    "hidden_grace_ms", "maximum_oversend_bps", "preferred_height", "minimum_probe_step_bps",
    #"maximum_probe_interval_ms": 86400000, "probe_interval_ms"#,
    #"probe_interval_ms": 0, "maximum_probe_interval_ms"#, "maximum_pinned_probe_interval_ms",
    "maximum_streams",
  ]

  private func messages(_ lines: [String]) -> [String] {
    PlayedTrace.messages(lines, name: "t")
  }

  /// Checks a range; `messages(n)` returns the messages for the value `n`.
  private func checkRange(_ messages: (String) -> [String]) throws {
    let ask = try #require(messages("\"x\"").first)
    if let range = ask.firstMatch(of: #/of at least (\d+)/#), let low = Int(range.1) {
      for number in [low, .max] { #expect(messages("\(number)").isEmpty) }
      #expect(messages("\(low - 1)") == [ask.replacing("'\"x\"'", with: "'\(low - 1)'")])
      return
    }
    let range = try #require(ask.firstMatch(of: #/from (\d+) to (below )?(\d+)/#), "\(ask)")
    let (low, high) = (try #require(Int(range.1)), try #require(Int(range.3)))
    let isHalfOpen = range.2 != nil
    let taken = isHalfOpen ? ["\(low)", "\(high - 1).999999"] : ["\(low)", "\(high)"]
    for number in taken { #expect(messages(number).isEmpty, "\(ask) \(messages(number))") }
    for number in ["\(low - 1)", "\(isHalfOpen ? high : high + 1)"] {
      #expect(messages(number) == [ask.replacing("'\"x\"'", with: "'\(number)'")])
    }
  }

  @Test(arguments: lines)
  func valuesInLinesAreCheckedAgainstTheirRanges(_ line: String) throws {
    try checkRange { messages([Self.camera, line.replacing("@", with: $0)]) }
  }

  @Test(arguments: settings)
  func settingsAreCheckedAgainstTheirRanges(_ members: String) throws {
    try checkRange {
      messages(["{\"type\": \"config\", \"\(members)\": \($0)}", #"{"at": 0, "type": "tick"}"#])
    }
  }

  @Test func timesAreCheckedAgainstTheirRange() throws {
    try checkRange { messages(["{\"at\": \($0), \"type\": \"tick\"}"]) }
  }

  @Test func aFrameRateLimitIsAboveZero() {
    let told = { (number: String) in
      messages([Self.camera, Self.demand("\"maximum_fps\": \(number)")])
    }
    for number in ["0.001", "1000"] { #expect(told(number).isEmpty) }
    for number in ["0", "-1", "1000.001"] {
      #expect(told(number).first?.contains("a number above 0, at most 1000") == true)
    }
  }

  @Test func everyNumericSettingIsTested() {
    let others: Set = ["strategy", "screen_share_first", "receive_720p", "debug_metadata"]
    let tried = Self.settings.joined(separator: " ")
    for name in ConfigurationField.all.map(\.name) where !others.contains(name) {
      #expect(tried.contains(name))
    }
  }
}
