import Foundation
import TestSupport
import Testing

/// The user's configuration file, the variables VADMON_…, and where `--show-config` says that a setting came from.
@Suite struct UserConfigurationTests {
  private let folder = TemporaryFolder()

  /// Writes the user's file, and returns its path.
  @discardableResult
  private func user(_ text: String) throws -> String {
    try folder.write(text, to: "config/vadmon/config.json")
  }

  private func run(
    _ arguments: [String], _ variables: [String: String] = [:]
  ) throws -> Program.Result {
    try Program.vadmon(
      arguments, environment: ["XDG_CONFIG_HOME": folder / "config"].merging(variables) { $1 })
  }

  /// Returns the value and the source of each setting, by its name.
  private func shown(
    _ arguments: String..., variables: [String: String] = [:]
  ) throws -> [String: [String]] {
    let result = try run(["analyze", "--show-config"] + arguments, variables)
    #expect(result.status == 0, "\(result.errors)")
    let rows = result.lines.map { line in
      line.components(separatedBy: "  ").map { $0.trimmingCharacters(in: .whitespaces) }
        .filter { !$0.isEmpty }
    }
    return Dictionary(uniqueKeysWithValues: rows.map { ($0[0], Array($0.dropFirst())) })
  }

  /// Default, preset, the user's file, variables, the file of `--config`, options.
  @Test func eachOriginReplacesThoseBefore() throws {
    let user = try user(
      """
      {"preset": "notice", "hangover_ms": 1, "pad_ms": 1, "min_speech_ms": 1, "min_silence_ms": 1}
      """)
    let named = try folder.write("{\"min_speech_ms\": 3, \"min_silence_ms\": 3}", to: "my.json")
    let shown = try shown(
      "--config", named, "--min-silence", "4ms",
      variables: [
        "VADMON_PAD_MS": "2", "VADMON_MIN_SPEECH_MS": "2ms", "VADMON_MIN_SILENCE_MS": "2",
      ])
    #expect(shown["mute_grace_ms"] == ["300", "default"])
    #expect(shown["preset"] == ["\"notice\"", user])
    #expect(shown["onset_threshold"] == ["0.9", "preset notice"])
    #expect(shown["offset_follows_onset"] == ["false", "preset notice"])
    #expect(shown["hangover_ms"] == ["1", user])
    #expect(shown["pad_ms"] == ["2", "VADMON_PAD_MS"])
    #expect(shown["min_speech_ms"] == ["3", named])
    #expect(shown["min_silence_ms"] == ["4", "option"])
    #expect(shown["version"]?.count == 1 && shown["lookahead_ms"]?.count == 1)
  }

  /// A preset replaces the settings that it has, from wherever they came.
  @Test func presetsAndThresholdsReplaceWhatTheyMove() throws {
    try user("{\"onset_threshold\": 0.5, \"hangover_ms\": 7}")
    let preset = try shown(variables: ["VADMON_PRESET": "transcription"])
    #expect(preset["preset"] == ["\"transcription\"", "VADMON_PRESET"])
    #expect(preset["onset_threshold"] == ["0.45", "preset transcription"])
    #expect(preset["hangover_ms"] == ["300", "preset transcription"])
    let moved = try shown(variables: ["VADMON_ONSET_THRESHOLD": "0.66"])
    #expect(moved["offset_threshold"]?.last == "VADMON_ONSET_THRESHOLD")
    #expect(moved["offset_follows_onset"] == ["true", "VADMON_ONSET_THRESHOLD"])
    let given = try shown(
      "--offset-threshold", "0.1", variables: ["VADMON_ONSET_THRESHOLD": "0.66"])
    #expect(given["onset_threshold"] == ["0.66", "VADMON_ONSET_THRESHOLD"])
    #expect(given["offset_threshold"] == ["0.1", "option"])
    #expect(given["offset_follows_onset"] == ["false", "option"])
  }

  /// The XDG Base Directory Specification: $HOME/.config if the variable is unset, empty or not absolute.
  @Test(arguments: ["", "config", "./config"]) func theUsualFolderIsInTheHome(
    xdg: String
  ) throws {
    let home = try folder.write("{\"pad_ms\": 5}", to: "home/.config/vadmon/config.json")
    try user("{\"pad_ms\": 6}")
    let result = try Program.vadmon(
      "--show-config", in: folder, environment: ["XDG_CONFIG_HOME": xdg, "HOME": folder / "home"])
    let rows = result.words
    #expect(rows.contains(["pad_ms", "5", home]))
    let none = try Program.vadmon(
      "--show-config", in: folder, environment: ["XDG_CONFIG_HOME": xdg, "HOME": "home"])
    #expect(none.status == 0 && none.lines.allSatisfy { !$0.contains("config.json") })
  }

  @Test func noConfigIgnoresTheFileAndTheVariables() throws {
    let plain = try Program.vadmon("--show-config")
    let named = try folder.write("{\"pad_ms\": 8}", to: "my.json")
    for text in ["{\"pad_ms\": 7}", "nonsense"] {
      try user(text)
      let variables = ["VADMON_HANGOVER_MS": "9", "VADMON_VOLUME": "11", "VADMON_MUTED": "perhaps"]
      let result = try run(["--show-config", "--no-config"], variables)
      #expect(result.status == 0 && result.errors.isEmpty && result.output == plain.output)
      let given = try run(["--show-config", "--no-config", "--config", named], variables)
      #expect(given.lines.contains { $0.hasPrefix("pad_ms ") && $0.hasSuffix(named) })
    }
  }

  @Test(
    arguments: [
      ("", 64, ["holds no settings", "vadmon analyze --show-config --format json"]),
      ("{\"hangovr_ms\": 3}", 64, ["hangovr_ms", "hangover_ms"]),
      ("{\"pad_ms\": -1}", 64, ["pad_ms", "'-1'", "whole number"]),
      (
        "{\"onset_threshold\": 0.3, \"offset_threshold\": 0.5}", 64,
        ["offset_threshold", "onset_threshold", "0.5", "0.3"]
      ),
      ("{\"split_ms\": 5}", 64, ["split_ms", "5", "choose at least"]),
      ("{\"pad_ms\": 1", 64, ["column 13"]),
    ] as [(String, Int32, [String])])
  func aBadFileIsNamed(row: (text: String, status: Int32, names: [String])) throws {
    let path = try user(row.text)
    for command in [["x.wav"], ["analyze", "--show-config"], ["live", "--save-segments", "x"]] {
      let result = try run(command)
      #expect(result.status == row.status && result.output.isEmpty)
      expectMessage(result.errors, names: row.names + [path])
    }
  }

  @Test func aFileThatCannotBeReadIsNamed() throws {
    let path = try folder.write("", to: "config/vadmon/config.json/x")
    let file = (path as NSString).deletingLastPathComponent
    let result = try run(["--show-config"])
    #expect(result.status == 74)
    expectMessage(result.errors, file, "--no-config")
  }

  @Test func aPipeOrALinkToNothingIsNamed() throws {
    let path = folder / "config/vadmon/config.json"
    try folder.write("", to: "config/vadmon/other")
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "moved.json")
    let link = try run(["--show-config"])
    try FileManager.default.removeItem(atPath: path)
    try folder.pipe("config/vadmon/config.json")
    for result in [link, try run(["--show-config"])] {
      #expect(result.status == 74)
      expectMessage(result.errors, path, "--no-config")
    }
  }

  /// Also where only the settings are written, by whatever way.
  @Test func settingsReplaceNoFileThatTheyComeFrom() throws {
    let path = try user("{\"pad_ms\": 3}")
    let named = try folder.write("{\"pad_ms\": 4}", to: "named.json")
    for (arguments, output, names) in [
      (["--output", path], nil, ["would replace \(path)", "add --no-config"]),
      (["--config", named, "--output", named], nil, ["would replace \(named)"]),
      ([], path, ["standard output goes to \(path)", "add --no-config"]),
    ] as [([String], String?, [String])] {
      let result = try Program.run(
        [
          "sh", "-c",
          "exec \"$0\" --show-config \"$@\"" + (output.map { " >> '\($0)'" } ?? ""),
        ]
          + [Program.path] + arguments, environment: ["XDG_CONFIG_HOME": folder / "config"])
      #expect(result.status == 64)
      expectMessage(result.errors, names: names)
    }
    #expect(try folder.text(of: "config/vadmon/config.json") == "{\"pad_ms\": 3}")
    #expect(try folder.text(of: "named.json") == "{\"pad_ms\": 4}")
  }

  /// No folder, no file, a file in the place of a folder.
  @Test func whatIsNotThereIsNotMissed() throws {
    let plain = try Program.vadmon("--show-config")
    #expect(try run(["--show-config"]).output == plain.output)
    try folder.write("", to: "config/other")
    #expect(try run(["--show-config"]).output == plain.output)
    try folder.write("", to: "config/vadmon")
    #expect(try run(["--show-config"]).output == plain.output)
  }

  @Test(
    arguments: [
      ("VADMON_HANGOVER_MS", "long", ["'long'", "whole number", "80ms"]),
      ("VADMON_HANGOVER_MS", "0.5", ["'0.5'", "whole number"]),
      ("VADMON_PRESET", "loud", ["'loud'", "conversation"]),
      ("VADMON_MUTED", "yes", ["'yes'", "true", "false"]),
      ("VADMON_ONSET_THRESHOLD", "1", ["'1'", "above 0"]),
      ("VADMON_OFFSET_THRESHOLD", "0.9", ["0.9", "the onset threshold (default) is 0.82"]),
      ("VADMON_SPLIT_MS", "5", ["5", "1000"]),
      ("VADMON_HANGOVER", "80ms", ["VADMON_HANGOVER_MS", "--no-config"]),
      ("VADMON_ONSET_TRESHOLD", "0.5", ["VADMON_ONSET_THRESHOLD"]),
      ("VADMON_", "1", ["unset it", "VADMON_PAD_MS"]),
      ("VADMON_FOO", "1", ["unset it", "--show-config", "--no-config"]),
      ("VADMON_MIN", "1", ["VADMON_MIN_SPEECH_MS or VADMON_MIN_SILENCE_MS"]),
      ("VADMON_TO_MS", "0", ["0.000 s", "the start, 0.000 s:"]),
      ("VADMON_pad_ms", "1", ["VADMON_PAD_MS"]),
    ] as [(String, String, [String])])
  func aBadVariableIsNamed(row: (name: String, value: String, names: [String])) throws {
    for command in [["x.wav"], ["--show-config"]] {
      let result = try run(command, [row.name: row.value])
      #expect(result.status == 64 && result.output.isEmpty)
      expectMessage(result.errors, names: row.names)
      #expect(result.errors.hasPrefix("vadmon: \(row.name) "), "\(result.errors)")
    }
  }

  /// What `--on-event` tells its program is not a setting: the program may be another vadmon. Neither are the
  /// variables that Kubernetes sets for a service called vadmon.
  @Test func otherVariablesAreNoSettings() throws {
    let plain = try Program.vadmon("--show-config")
    let told = ["EVENT", "TIME", "DECIDED_AT", "VALUE", "MESSAGE"].map {
      ("VADMON_" + $0, "segment")
    }
    var variables = Dictionary(uniqueKeysWithValues: told)
    variables["VADMON_PAD_MS"] = ""
    variables["VADMON_VOLUME"] = ""
    variables["VADMON_SERVICE_HOST"] = "10.0.0.11"
    variables["VADMON_PORT_80_TCP"] = "tcp://10.0.0.11:80"
    variables["VADMON"] = "/usr/bin/vadmon"
    let result = try run(["--show-config"], variables)
    #expect(result.status == 0 && result.output == plain.output, "\(result.errors)")
  }

  /// Every setting that a command shows has a variable, which gives the value that is shown.
  @Test(arguments: ["analyze", "live"]) func everySettingHasAVariable(command: String) throws {
    let options = [
      "analyze": [
        "analyze", "--show-config", "--format", "json", "--preset", "notice", "--onset-threshold",
        "0.75", "--offset-threshold", "0.5", "--onset-debounce", "70ms", "--hangover", "0.5s",
        "--mute-grace", "1ms", "--mute-carry-over", "2s", "--muted-hold", "3ms",
        "--muted-release", "4ms", "--pad", "5ms", "--min-speech", "6ms", "--min-silence", "7ms",
        "--split", "30s", "--channel", "2", "--rate", "8000", "--sample-format", "f32be",
        "--channels", "3", "--mute-timeline", "0-3.5,10-", "--speaker-margin", "12.5",
        "--reference", "far end.wav",
      ],
      "live": [
        "live", "--show-config", "--json", "--preset", "notice", "--channel", "2", "--muted",
        "--reference", "far", "--reference-latency", "50ms", "--speaker-level", "-20",
        "--speaker-margin", "off",
      ],
    ]
    let arguments = try #require(options[command])
    let given = try run(arguments)
    #expect(given.status == 0, "\(given.errors)")
    let settings = try given.json.object("config")
    #expect(settings.count >= 16)
    var variables: [String: String] = [:]
    for (name, value) in settings where !(name == "offset_follows_onset") {
      let text =
        try value as? String
        ?? String(
          decoding: JSONSerialization.data(withJSONObject: value, options: .fragmentsAllowed),
          as: UTF8.self)
      variables["VADMON_" + name.uppercased()] = text
    }
    let count = arguments.firstIndex(of: "--preset") ?? 0
    let read = try run(Array(arguments.prefix(count)), variables)
    #expect(read.status == 0, "\(read.errors)")
    #expect(read.settingsAlone == given.settingsAlone)
    let sources = try #require(read.json["sources"] as? [String: String])
    #expect(Set(sources.keys) == Set(settings.keys))
    for (name, source) in sources where name != "offset_follows_onset" {
      #expect(source == "VADMON_" + name.uppercased())
    }
  }

  @Test func liveAndTuneReadTheSameFile() throws {
    let path = try user("{\"hangover_ms\": 123, \"channel\": \"2\"}")
    for command in [
      ["live", "--show-config"], ["tune", "sound", "labels", "--for", "f1", "--show-config"],
    ] {
      let result = try run(command, ["VADMON_ONSET_DEBOUNCE_MS": "20"])
      #expect(result.status == 0, "\(result.errors)")
      let rows = result.words
      #expect(rows.contains(["hangover_ms", "123", path]))
      #expect(rows.contains(["onset_debounce_ms", "20", "VADMON_ONSET_DEBOUNCE_MS"]))
      #expect(rows.contains(["channel", "\"2\"", path]))
    }
    let tuned = try run(
      ["tune", "sound", "labels", "--for", "f1", "--show-config", "--format", "json"])
    let sources = try #require(tuned.json["sources"] as? [String: String])
    #expect(sources["hangover_ms"] == path && sources["pad_ms"] == "default")
  }

  @Test func aMessageAboutASettingNamesItsOrigin() throws {
    let path = try user("{\"channel\": \"each\"}")
    let file = try run(["live"])
    #expect(file.status == 64 && file.errors.contains("\(path): channel cannot be each in live"))
    let variable = try run(["live"], ["VADMON_CHANNEL": "each"])
    #expect(variable.errors.contains("VADMON_CHANNEL cannot be each in live"))
    try user("{\"onset_threshold\": 0.3}")
    let both = try run(["--show-config", "--offset-threshold", "0.5"], ["VADMON_PAD_MS": "1"])
    #expect(both.status == 64)
    expectMessage(both.errors, "--offset-threshold is 0.5", "the onset threshold (\(path)) is 0.3")
  }

  @Test func aConflictNamesWhereItsSettingsComeFrom() throws {
    let path = try user("{\"from_ms\": 3000, \"channel\": \"each\", \"split_ms\": 30000}")
    for (arguments, variables, names) in [
      (["--to", "2s"], [:], ["--to is 2.000 s", "from_ms of \(path)"]),
      ([], ["VADMON_TO_MS": "1s"], ["VADMON_TO_MS is 1.000 s", "from_ms of \(path)"]),
      ([], ["VADMON_REFERENCE": "1"], ["VADMON_REFERENCE belongs to one microphone"]),
      (["--reference-channel", "1"], [:], ["--reference-channel belongs to one microphone"]),
      (
        ["--channel", "1"], ["VADMON_REFERENCE": "1"],
        ["VADMON_REFERENCE and --channel are both channel 1"]
      ),
      (["--split", "5ms"], [:], ["--split is 5 ms", "choose at least"]),
      (
        ["--split", "1s"], ["VADMON_PAD_MS": "600"],
        ["--split is 1000 ms", "beside VADMON_PAD_MS", "at least 2200 ms"]
      ),
      (
        ["--split", "30s", "--trim", "t.wav"], [:],
        ["but channel of \(path) analyses each apart"]
      ),
    ] as [([String], [String: String], [String])] {
      let result = try run(["--show-config"] + arguments, variables)
      #expect(result.status == 64 && result.output.isEmpty)
      expectMessage(result.errors, names: names)
    }
    let wav = try folder.write(TestAudio.wav(TestAudio.utterance()), to: "a.wav")
    let late = try run([wav], ["VADMON_FROM_MS": "90s", "VADMON_CHANNEL": "mix"])
    #expect(late.status == 65)
    expectMessage(late.errors, "has no sound after 90.000 s (VADMON_FROM_MS)")
  }

  /// Variables are written without quotes, and so are the values that messages tell to write.
  @Test(arguments: ["CHANNEL": "0", "PRESET": "1", "PAD_MS": "x", "RAW_SAMPLE_FORMAT": "u7"])
  func messagesAboutVariablesSpeakOfNoQuotes(name: String, value: String) throws {
    let result = try run(["--show-config"], ["VADMON_" + name: value])
    #expect(result.status == 64)
    #expect(!result.errors.contains("\"") && !result.errors.contains("quotes"), "\(result.errors)")
  }

  /// The settings change what is found, and the results say them as before.
  @Test func resultsFollowTheUsersFile() throws {
    let wav = try folder.write(TestAudio.wav(TestAudio.utterance()), to: "a.wav")
    try user("{\"pad_ms\": 70}")
    let byFile = try run(["analyze", wav, "--format", "json"])
    let byVariable = try Program.analyze(
      wav, "--format", "json", environment: ["VADMON_PAD_MS": "70ms"])
    let byOption = try Program.analyze(wav, "--format", "json", "--pad", "70ms")
    #expect(byFile.status == 0 && byFile.output == byOption.output)
    #expect(byVariable.output == byOption.output)
    #expect(byOption.output != (try Program.analyze(wav, "--format", "json")).output)
  }

  @Test func theUsersFileIsNotReplacedByResults() throws {
    let wav = try folder.write(TestAudio.wav(TestAudio.utterance()), to: "a.wav")
    let path = try user("{\"pad_ms\": 3}")
    let result = try run(["analyze", wav, "--output", path])
    #expect(result.status == 64 && result.errors.contains("the results would replace \(path)"))
    #expect(try folder.text(of: "config/vadmon/config.json") == "{\"pad_ms\": 3}")
  }

  /// The command line that a report shows finds the same wherever it runs.
  @Test func aReportsCommandLineDoesNotDependOnTheUser() throws {
    let wav = try folder.write(TestAudio.wav(TestAudio.utterance()), to: "a.wav")
    for (variables, isIndependent) in [(["VADMON_PAD_MS": "70ms"], true), ([:], false)] {
      let result = try run(["analyze", wav, "--report", folder / "r.html"], variables)
      #expect(result.status == 0, "\(result.errors)")
      #expect(try folder.text(of: "r.html").contains("\"--no-config\"") == isIndependent)
    }
  }
}
