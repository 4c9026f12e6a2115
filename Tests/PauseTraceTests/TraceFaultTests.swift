import TestSupport
import Testing

@testable import PauseTrace

/// Faults in a trace: the message names the line, the member, and what to write instead.
@Suite struct TraceFaultTests {
  private static let camera =
    #"{"at": 0, "type": "stream", "participant": "alice", "layers": [{"spatial": 0, "width": 320, "height": 180, "bps": 150000}]}"#

  private func messages(_ lines: String...) -> [String] {
    PlayedTrace.messages(lines, name: "t.jsonl")
  }

  @Test(
    arguments: [
      ("[]", "the line is not an object: write {\"name\": value, …}"),
      ("{}", "type is missing: add a name in quotes"),
      (#"{"at": 1}"#, "type is missing"),
      (#"{"at": 1, "type": 5}"#, "type: write a name in quotes, not '5'"),
      (
        #"{"at": 1, "type": "bandwidth"}"#,
        "type: 'bandwidth' is unknown: write one of config, stream"
      ),
      (
        #"{"type": "tick"}"#, "at is missing: add a time in seconds from 0 to 9000000000, like 3.25"
      ),
      (
        #"{"at": "1", "type": "tick"}"#,
        "at: write a time in seconds from 0 to 9000000000, like 3.25, not '\"1\"'"
      ),
      (
        #"{"at": -1, "type": "tick"}"#,
        "at: write a time in seconds from 0 to 9000000000, like 3.25, not '-1'"
      ),
      (#"{"at": 1e10, "type": "tick"}"#, "at: write a time"),
      (#"{"at": 1e999, "type": "tick"}"#, "at: write a time"),
      (#"{"at": null, "type": "tick"}"#, "at: write a time"),
      (
        #"{"at": 1, "type": "tick", "to": 2}"#,
        "to is unknown: remove it, or use one of type, at"
      ),
      (#"{"at": 1, "type": "estimate"}"#, "bps is missing: add a whole number of bit/s"),
      (#"{"at": 1, "type": "estimate", "bps": 1.5}"#, "bps: write a whole number of bit/s"),
      (#"{"at": 1, "type": "estimate", "bps": -1}"#, "from 0 to 1000000000000, not '-1'"),
      (#"{"at": 1, "type": "estimate", "bps": 1000000000001}"#, "bps: write a whole number"),
      (#"{"at": 1, "type": "estimate", "bps": 99999999999999999999}"#, "bps: write a whole number"),
      (
        #"{"at": 1, "type": "estimate", "bps": 1, "congestion": "bad"}"#,
        #"congestion: write one of "none", "earlyWarning", "congested", not '"bad"'"#
      ),
      (#"{"at": 1, "type": "audio", "streams": -1}"#, "streams: write a whole number from 0"),
      (
        #"{"at": 1, "type": "speakers", "participants": "bob"}"#,
        "participants: write a list of participants' names"
      ),
      (#"{"at": 1, "type": "speakers", "participants": ["bob", 1]}"#, "participants: write a list"),
      (#"{"at": 1, "type": "speakers", "participants": [""]}"#, "participants: write a list"),
      (
        #"{"at": 1, "type": "last_n"}"#,
        "count is missing: add a whole number from 0 to 1000000, or null for no limit"
      ),
      (
        #"{"at": 1, "type": "last_n", "count": "all"}"#,
        "count: write a whole number from 0 to 1000000, or null"
      ),
      (
        #"{"at": 1, "type": "strategy", "strategy": "Grid"}"#,
        #"strategy: write one of "grid", "priority", "stage""#
      ),
      (
        #"{"at": 1, "type": "receive_720p", "enabled": 1}"#, "enabled: write true or false, not '1'"
      ),
      (
        #"{"at": 1, "type": "capabilities", "enable": ["fly"]}"#,
        "enable: write a list, each one of \"subscriberVideoPause\""
      ),
      (
        #"{"at": 1, "type": "capabilities", "enable": ["subscriberVideoPause"], "disable": ["subscriberVideoPause"]}"#,
        "enable and disable name the same capability"
      ),
      (
        #"{"at": 1, "type": "demand"}"#,
        "participant is missing: add a participant's name in quotes"
      ),
      (
        #"{"at": 1, "type": "demand", "participant": "alice", "track": "audio"}"#,
        #"track: write "video" or "screenShare", not '"audio"'"#
      ),
      (
        #"{"at": 1, "type": "demand", "participant": "alice", "view": {"width": 5}}"#,
        "view.height is missing: add a whole number of pixels"
      ),
      (#"{"at": 1, "type": "demand", "participant": "alice", "view": 5}"#, "view is not an object"),
      (
        #"{"at": 1, "type": "demand", "participant": "alice", "pin": {"own": true}}"#,
        "pin.own is unknown"
      ),
      (
        #"{"at": 1, "type": "demand", "participant": "alice", "maximum_quality": "360p"}"#,
        "maximum_quality: write one of \"r90p_3fps\""
      ),
      (
        #"{"at": 1, "type": "demand", "participant": "alice", "maximum_fps": 0}"#,
        "maximum_fps: write a number above 0, at most 1000, not '0'"
      ),
      (
        #"{"at": 1, "type": "demand", "participant": "eve"}"#,
        "participant, track: there is no stream eve/video yet: move its 'stream' line before"
      ),
      (
        #"{"at": 1, "type": "locked", "participant": "alice", "track": "screenShare"}"#,
        "there is no stream alice/screenShare yet"
      ),
      (#"{"at": 1, "type": "stream", "participant": "bob"}"#, "layers is missing: add a list"),
      (
        #"{"at": 1, "type": "stream", "participant": "bob", "layers": [5]}"#,
        "layers[0] is not an object"
      ),
      (
        #"{"at": 1, "type": "stream", "participant": "bob", "layers": [{"spatial": 0, "width": 1, "height": 1, "bps": 1}, {"spatial": 1}]}"#,
        "layers[1].width is missing"
      ),
      (
        #"{"at": 1, "type": "stream", "participant": "bob", "layers": [{"spatial": 0, "width": 0, "height": 1, "bps": 1}]}"#,
        "layers[0].width: write a whole number of pixels from 1 to 1000000, not '0'"
      ),
      (
        #"{"at": 1, "type": "stream", "participant": "bob", "layers": [{"spatial": 0, "width": 1, "height": 1, "bps": 1, "fps": -1}]}"#,
        "layers[0].fps: write a number from 0 to 1000, not '-1'"
      ),
      (#"{"at": 1, "type": "layout", "layout": "mosaic"}"#, "layout: write one of \"gallery\""),
      (#"{"at": 1, "type": "layout_streams", "streams": [{}]}"#, "streams[0].quality is missing"),
      (#"{"at": 1, "type": "tick", "type": "tick"}"#, "type appears twice: keep one"),
      (#"{"type": "config"}"#, "config must be the first line: move it to the top"),
      ("tick", "column 1: this is not a JSON value"),
    ] as [(String, String)])
  func aBadLineIsReportedWithTheRemedy(_ row: (line: String, message: String)) throws {
    let messages = messages(Self.camera, row.line)
    #expect(messages.count == 1)
    #expect(messages.first?.hasPrefix("t.jsonl, line 2: ") == true)
    #expect(messages.first?.contains(row.message) == true, "\(messages)")
  }

  @Test(
    arguments: [
      (#""hold_off_ms": 86400001"#, "hold_off_ms: write a whole number of ms"),
      (#""maximum_probe_interval_ms": 1"#, "maximum_probe_interval_ms is below probe_interval_ms"),
      (#""audio_headroom": 0.5"#, "audio_headroom: write a number from 1 to 10, not '0.5'"),
      (#""resume_limit": 0"#, "resume_limit: write a whole number from 1 to 64, not '0'"),
      (#""maximum_streams": 0"#, "maximum_streams: write a whole number from 1 to 1000000"),
      (#""grow_margin": 1"#, "grow_margin: write a number from 0 to below 1, not '1'"),
      (#""preferred_height": 0"#, "preferred_height: write a whole number of at least 1, not '0'"),
      (#""at": 0"#, "at is unknown"),
    ])
  func anOutOfRangeSettingIsReportedByItsNameInTheTrace(_ row: (member: String, message: String)) {
    let messages = messages("{\"type\": \"config\", \(row.member)}")
    #expect(messages.count == 1)
    #expect(messages.first?.hasPrefix("t.jsonl, line 1: " + row.message) == true, "\(messages)")
  }

  @Test func decreasingTimesAreReportedWithTheEarlierLine() {
    let messages = messages(
      #"{"at": 2, "type": "tick"}"#, "", #"{"at": 1.999999, "type": "tick"}"#)
    expectMessage(
      messages.joined(separator: "\n"), "t.jsonl", "line 3", "at", "1.999999", "2.000", "line 1",
      "sort")
  }

  /// The unit is wrong, or a line is missing.
  @Test func aJumpOfMoreThanADayIsReported() {
    let tick = { (time: String) in #"{"at": \#(time), "type": "tick"}"# }
    expectMessage(
      messages(tick("1"), tick("1700000000")).joined(separator: "\n"), "t.jsonl", "line 2", "at",
      "1700000000.000", "1.000", "line 1", "seconds", "tick")
    #expect(messages(tick("1700000000"), tick("1700086400.000001")).count == 1)
    #expect(messages(tick("1700000000"), tick("1700086400")) == [])
  }

  @Test func theConfigLineSetsTheLimitOfStreams() {
    let messages = messages(
      #"{"type": "config", "maximum_streams": 1}"#, Self.camera,
      Self.camera.replacing("alice", with: "bob"))
    #expect(messages.count == 1)
    #expect(messages.first?.contains("line 3: more than 1 streams") == true)
  }

  /// Faults that only follow from a bad line are therefore not reported.
  @Test func nothingIsDecidedAfterABadLine() {
    let eve = { (at: Int) in #"{"at": \#(at), "type": "locked", "participant": "eve"}"# }
    let messages = messages(Self.camera, eve(1), eve(2), #"{"at": 3, "type": "tock"}"#)
    #expect(messages.count == 2)
    #expect(
      messages.first?.hasPrefix("t.jsonl, line 2: participant, track: there is no stream") == true)
    #expect(messages.last?.hasPrefix("t.jsonl, line 4: type: 'tock'") == true)
  }

  @Test func tenBadLinesAreReportedAndTheRestCounted() {
    let text = Array(repeating: "?", count: 12).joined(separator: "\n")
    let messages = messages(text)
    #expect(messages.count == 11)
    #expect(messages.last == "t.jsonl has 2 more bad lines")
  }

  @Test(arguments: ["", "\n \n", "{\"type\": \"config\"}"])
  func aTraceWithoutInputsIsReported(_ text: String) {
    #expect(
      messages(text).first?.hasPrefix("t.jsonl has no lines with inputs: write one JSON object")
        == true)
  }
}
