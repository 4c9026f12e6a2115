import Foundation
import TestSupport
import Testing

/// `vadmon pause` as users run it.
@Suite struct PauseTests {
  private let folder = TemporaryFolder()

  private static let samples = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().appendingPathComponent("../../../samples/traces").standardized.path

  private func pause(_ arguments: String..., input: String = "") throws -> Program.Result {
    try Program.vadmon(["pause"] + arguments, input: Data(input.utf8))
  }

  private func sample(_ name: String) -> String { Self.samples + "/\(name).jsonl" }

  private func records(_ result: Program.Result) throws -> [JSONObject] {
    #expect(result.status == 0, "\(result.errors)")
    return try result.records
  }

  private static let small = """
    {"at": 0, "type": "stream", "participant": "alice", "layers": [{"spatial": 0, "width": 320, "height": 180, "bps": 150000}]}
    {"at": 0, "type": "estimate", "bps": 100000}
    {"at": 1, "type": "tick"}

    """

  // MARK: Results

  @Test func aDecisionReportsReasonsAndMissingBits() throws {
    let records = try records(pause("-", input: Self.small))
    #expect(records.map(\.type) == ["config", "decision", "paused_tracks", "summary"])
    #expect(records[0]["schema_version"] as? Int == 1)
    let streams = try #require(records[1]["streams"] as? [[String: Any]])
    #expect(streams.count == 1)
    #expect(streams[0]["reason"] as? String == "bandwidth")
    #expect(streams[0]["forward"] is NSNull)
    // 150 kbit/s are wanted, and 93 % of 100 may be begun.
    #expect(streams[0]["missing_bps"] as? Int == 57_000)
    let paused = try #require(records[2]["paused"] as? [[String: String]])
    #expect(paused == [["participant": "alice", "track": "video"]])
    #expect(records[3]["paused"] as? Double == 1)
  }

  /// The config record without its first members is a valid config line.
  @Test func theConfigRecordIsAConfigLine() throws {
    let input = "{\"type\": \"config\", \"strategy\": \"stage\", \"hold_off_ms\": 0}\n" + Self.small
    let first = try pause("-", input: input)
    var config = try #require(try records(first).first)
    config["schema_version"] = nil
    config["generator"] = nil
    let line = try JSONSerialization.data(withJSONObject: config)
    let again = try pause("-", input: String(decoding: line, as: UTF8.self) + "\n" + Self.small)
    #expect(again.output == first.output)
    #expect(again.status == 0)
  }

  @Test(arguments: ["falling-line", "speaker-change", "opted-out"])
  func samplesAreReplayedTheSameTwice(_ name: String) throws {
    let first = try pause(sample(name))
    #expect(try records(first).last?.type == "summary")
    #expect(first.errors.isEmpty)
    let again = try Program.shell("\"$vadmon\" pause - < \"$1\"", sample(name))
    #expect(again.output == first.output)
  }

  /// Each sample shows its purpose.
  @Test func samplesShowWhatTheyAreFor() throws {
    let falling = try records(pause(sample("falling-line")))
    let streams = try #require(falling.last?["streams"] as? [[String: Any]])
    #expect(streams.count == 4)
    // For twelve seconds, the line carries one picture.
    #expect(streams.map { $0["toggles"] as? Int } == [0, 2, 2, 2])
    let change = try records(pause(sample("speaker-change")))
    let swap = try #require(
      change.first { $0.type == "decision" && $0["at"] as? Double == 8 })
    let rows = try swap.objects("streams")
    let forwarded = rows.filter { !($0["forward"] is NSNull) }.compactMap {
      $0["participant"] as? String
    }
    #expect(forwarded == ["dave", "alice"])
    let optedOut = try records(pause(sample("opted-out")))
    let firstPause = optedOut.first { $0.type == "paused_tracks" }
    // It opts in at 20 s. Without the audio's 115 kbit/s, 395 of 510 kbit/s are left, and the base layers take 1,050: a
    // queue of 1.5 s at the present rate is full after 1.5 · 395 / (1050 − 395) s, and there is a look each 0.2 s.
    let at = try #require(firstPause?["at"] as? Double)
    #expect((20.9...21.15).contains(at))
    #expect(optedOut.contains { $0["oversending"] as? Bool == true })
  }

  /// Another program derives the records from the traces: the samples and random calls.
  @Test func recordsCanBeDerived() throws {
    let samples = ["falling-line", "speaker-change", "opted-out"].map(sample)
    let script = Self.samples + "/../../Tests/Program/pause_records.py"
    let result = try Program.run(["python3", script, Program.path] + samples + ["--random", "5"])
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.hasPrefix("8 traces, ") && result.output.hasSuffix("; 0 differences\n"))
  }

  @Test func samplesAreWhatTheirScriptMakes() throws {
    let result = try Program.run(["python3", Self.samples + "/make-traces.py", "--check"])
    #expect(result.status == 0, "\(result.errors)")
  }

  @Test func theSummaryIsForPeople() throws {
    let result = try pause("-", "--summary", input: Self.small)
    #expect(result.status == 0)
    #expect(
      result.output == """
        1.000 s, decisions 1; short of bandwidth 1.000 s, oversending 0.000 s

        stream       present s  forwarded s  paused s  toggles  kbit/s  use of capacity  of the ideal
        alice/video      1.000        0.000     1.000        0     0.0            0.000         0.000
        all              1.000        0.000     1.000        0     0.0            0.000         0.000

        """)
  }

  @Test func resultsAndPlotGoToFiles() throws {
    let trace = try folder.write(Self.small, to: "t.jsonl")
    let result = try pause(trace, "--output", folder / "out.jsonl", "--plot", folder / "p.svg")
    #expect(result.status == 0 && result.output.isEmpty && result.errors.isEmpty)
    #expect(try folder.text(of: "out.jsonl") == pause(trace).output)
    let script = """
      import json, sys, xml.etree.ElementTree as tree
      print(json.dumps(tree.fromstring(sys.stdin.buffer.read()).tag))
      """
    let tag = try Python.json(script, input: folder.text(of: "p.svg"))
    #expect(tag as? String == "{http://www.w3.org/2000/svg}svg")
    #expect(try folder.names == ["out.jsonl", "p.svg", "t.jsonl"])
  }

  @Test func whatIsNoTraceHasOneError() throws {
    let wav = try folder.write(TestAudio.wav(TestAudio.utterance()), to: "a.wav")
    for path in [wav, try folder.write("0.5\t1.5\tspeech\n2\t3\tspeech\n", to: "labels.txt")] {
      let result = try pause(path)
      #expect(result.status == 65 && result.output.isEmpty)
      expectMessage(result.errors, path, "JSON", "docs/vadmon-pause.md")
    }
  }

  @Test func aByteOrderMarkAndWindowsLineEndsAreRead() throws {
    let text = "\u{FEFF}" + Self.small.replacingOccurrences(of: "\n", with: "\r\n")
    #expect(try pause("-", input: text).output == pause("-", input: Self.small).output)
  }

  // MARK: Warnings

  @Test func assumptionsGiveWarnings() throws {
    let input = """
      {"at": 0, "type": "tick"}
      {"at": 1, "type": "layout", "layout": "gallery"}
      """
    let result = try pause("-", input: input)
    #expect(result.status == 0)
    let warnings = result.messages
    #expect(warnings.count == 2)
    expectMessage(warnings[0], "warning", "standard input", "line 2", "layout", "notInMeeting")
    expectMessage(warnings[1], "warning", "standard input", "estimate", "1000000 bit/s")
    #expect(try pause("-", "--quiet", input: input).errors.isEmpty)
    #expect(try pause("-", "--quiet", input: input).output == result.output)
  }

  // MARK: Errors

  @Test(
    arguments: [
      ([], ["pause", "TRACE"]), (["a", "b"], ["pause", "'b'"]),
      (["a", "--plot", "-"], ["--plot", "-"]),
      (["a", "--plot", "x.jpg"], ["--plot", ".svg or .png"]),
      (["a", "--plot", "x.svg", "--output", "x.svg"], ["--output", "--plot"]),
      (["a", "--plot"], ["--plot"]), (["a", "--output", ""], ["--output"]),
      (["a", "--frames"], ["pause", "--frames"]),
    ] as [([String], [String])])
  func wrongUsageIsReported(row: (arguments: [String], names: [String])) throws {
    let result = try Program.vadmon(["pause"] + row.arguments)
    #expect(result.status == 64)
    #expect(result.output.isEmpty)
    expectMessage(result.errors, names: row.names)
  }

  @Test func badLinesAreReportedAndNoFileIsWritten() throws {
    let input = Self.small + "{\"at\": 5, \"type\": \"estimate\", \"bps\": \"fast\"}\n{\"at\": 6"
    let result = try pause("-", "--plot", folder / "p.svg", "--output", folder / "o", input: input)
    #expect(result.status == 65)
    #expect(result.output.isEmpty)
    #expect(try pause("-", "--summary", input: input).output.isEmpty)
    // Standard output has the results that were known before the first fault.
    let printed = try pause("-", input: input)
    #expect(printed.status == 65 && printed.errors == result.errors)
    #expect(printed.lines.count == 3)
    #expect(try printed.lines == Array(pause("-", input: Self.small).lines.prefix(3)))
    let lines = result.messages
    #expect(lines.count == 2)
    expectMessage(String(lines[0]), "line 4", "bps", "bit/s", "0", "1000000000000", "fast")
    #expect(lines.last?.hasPrefix("vadmon: standard input, line 5: column ") == true)
    #expect(try folder.names.isEmpty)
  }

  @Test func missingTracesAndFoldersAreReported() throws {
    let missing = try pause(folder / "x.jsonl")
    #expect(missing.status == 66)
    #expect(missing.errors.contains("x.jsonl: No such file or directory; check its name"))
    let directory = try pause(folder.path)
    #expect(directory.status == 74)
    #expect(directory.errors.contains("it is a folder; name a file in it"))
  }

  @Test func controlCharactersDoNotReachTheTerminal() throws {
    let result = try pause("-", input: "{\"at\": 0, \"type\": \"\\u001b[31m\"}")
    #expect(result.status == 65)
    #expect(!result.errors.contains("\u{1B}"))
  }

  /// U+202E makes a terminal show what follows from right to left.
  @Test func namesDoNotTurnTheLineAround() throws {
    let name = "ali\u{202E}ce"
    let input = Self.small.replacingOccurrences(of: "alice", with: name)
    let table = try pause("-", "--summary", input: input)
    #expect(table.output.contains("ali\\u{202E}ce/video "))
    #expect(!table.output.unicodeScalars.contains("\u{202E}"))
    let results = try pause("-", input: input)
    #expect(!results.output.unicodeScalars.contains("\u{202E}"))
    let streams = try #require(records(results)[1]["streams"] as? [[String: Any]])
    #expect(streams.first?["participant"] as? String == name)
    let fault = try pause("-", input: input.replacingOccurrences(of: "tick", with: name))
    #expect(fault.errors.contains("type: 'ali\\u{202E}ce' is unknown"))
  }

  @Test(arguments: ["--output", "--plot"])
  func theResultsDoNotReplaceTheTrace(_ option: String) throws {
    let trace = try folder.write(Self.small, to: "t.svg")
    try FileManager.default.linkItem(atPath: trace, toPath: folder / "hard.svg")
    try folder.link("soft.svg", to: "t.svg")
    for result in [trace, folder / "./t.svg", folder / "hard.svg", folder / "soft.svg"] {
      let named = try pause(trace, option, result)
      #expect(named.status == 64)
      #expect(named.errors.contains("would replace \(trace): choose another name"))
      let piped = try Program.shell(
        #""$vadmon" pause - "$2" "$3" < "$1""#, trace, option, result)
      #expect(piped.status == 64)
      #expect(piped.errors.contains("would replace standard input: choose another name"))
    }
    #expect(try folder.text(of: "t.svg") == Self.small)
  }

  /// Two names of one file. In the second pair, neither exists yet.
  @Test func oneResultDoesNotReplaceTheOther() throws {
    let trace = try folder.write(Self.small, to: "t.jsonl")
    try folder.write("old", to: "a.svg")
    try FileManager.default.linkItem(atPath: folder / "a.svg", toPath: folder / "b")
    let again = "../" + URL(fileURLWithPath: folder.path).lastPathComponent + "/new.svg"
    for (plot, output) in [
      ("a.svg", "b"), ("new.svg", "./new.svg"), ("new.svg", again), ("no/x.svg", "no//./x.svg"),
    ] {
      let result = try Program.vadmon(
        "pause", "t.jsonl", "--plot", plot, "--output", output, in: folder)
      #expect(result.status == 64, "\(output)")
      #expect(result.errors.contains("--output and --plot name the same file"))
    }
    #expect(try folder.names == ["a.svg", "b", "t.jsonl"])
    let both = try pause(trace, "--plot", folder / "x.svg", "--output", folder / "y")
    #expect(both.status == 0)
  }

  @Test func aJumpOfYearsIsReported() throws {
    let jump = "{\"at\": 1700000000, \"type\": \"tick\"}\n"
    let result = try pause("-", input: Self.small + jump)
    #expect(result.status == 65)
    #expect(
      result.errors.hasPrefix(
        "vadmon: standard input, line 4: at: 1700000000.000 is more than a day after 1.000 in line 3: "
      ))
  }

  @Test func resultsThatCannotBeWritten() throws {
    let trace = try folder.write(Self.small, to: "t.jsonl")
    for option in ["--output", "--plot"] {
      let nowhere = try pause(trace, option, folder / "no/where.svg")
      #expect(nowhere.status == 74)
      #expect(nowhere.errors.contains("where.svg: its folder does not exist"))
    }
  }

  @Test func aClosedStandardInputIsReported() throws {
    let result = try Program.shell("\"$vadmon\" pause - <&-")
    #expect(result.status == 74)
    #expect(result.errors.contains("cannot read standard input: Bad file descriptor"))
  }

  @Test func aClosedPipeIsQuiet() throws {
    let trace = try folder.write(Self.small, to: "t.jsonl")
    // Descriptor 3 is the only reader, and is closed before anything is written.
    let result = try Program.shell(
      """
      mkfifo "$2" && exec 3<>"$2" 4>"$2" 3<&- && "$vadmon" pause "$1" >&4
      echo $?
      """, trace, folder / "pipe")
    #expect(result.output == "141\n")
    #expect(result.errors.isEmpty)
  }
}
