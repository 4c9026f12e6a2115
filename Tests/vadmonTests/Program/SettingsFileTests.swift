import Foundation
import TestSupport
import Testing

/// `--config`: settings from a file.
@Suite struct SettingsFileTests {
  private let folder = TemporaryFolder()

  private func shown(_ arguments: String...) throws -> Program.Result {
    try shown(arguments)
  }

  private func shown(_ arguments: [String]) throws -> Program.Result {
    let result = try Program.analyze(["--show-config", "--format", "json"] + arguments)
    #expect(result.status == 0, "\(result.errors)")
    return result
  }

  private func settings(_ arguments: String...) throws -> JSONObject {
    try shown(arguments).json.object("config")
  }

  private func file(_ text: String) throws -> String { try folder.write(text, to: "my.json") }

  /// Every setting that is shown is read, and comes back as it was. Each differs from its default.
  @Test func whatIsShownIsReadBack() throws {
    let all = try shown(
      "--preset", "notice", "--onset-threshold", "0.75", "--onset-debounce", "70ms", "--hangover",
      "0.5s", "--mute-grace", "1ms", "--mute-carry-over", "2s", "--muted-hold", "3ms",
      "--muted-release", "4ms", "--pad", "5ms", "--min-speech", "6ms", "--min-silence", "7ms",
      "--channel", "2", "--rate", "8000", "--sample-format", "f32be", "--channels", "3",
      "--mute-timeline", "0-3.5,10-", "--speaker-margin", "12.5", "--reference", "far end.wav")
    #expect(all.settingsAlone != (try shown().settingsAlone))
    #expect(try shown("--config", file(all.output)).settingsAlone == all.settingsAlone)
    let others = try shown(
      "--reference-channel", "2", "--mute-timeline", "0-", "--speaker-margin", "off",
      "--offset-threshold", "0.3", "--onset-threshold", "0.7")
    #expect(try shown("--config", file(others.output)).settingsAlone == others.settingsAlone)
    let defaults = try shown()
    #expect(try shown("--config", file(defaults.output)).settingsAlone == defaults.settingsAlone)
  }

  /// The first line of JSON Lines and a whole result hold the settings too.
  @Test(arguments: ["json", "jsonl"]) func aResultRepeatsItsRun(
    format: String
  ) throws {
    let recording = try folder.write(TestAudio.wav(TestAudio.utterance()), to: "a.wav")
    let first = try Program.analyze(
      recording, "--format", format, "--hangover", "333ms", "--onset-threshold", "0.6")
    let text =
      format == "json" ? first.output : String(first.output.prefix { $0 != "\n" })
    let second = try Program.analyze(
      recording, "--format", format, "--config", try file(text))
    #expect(first.status == 0 && second.output == first.output)
  }

  /// Default, preset of the file, file, preset of the command line, options.
  @Test func optionsReplaceTheFile() throws {
    let path = try file(
      """
      \u{FEFF}{
        "preset": "notice",
        "hangover_ms": 120,
        "pad_ms": 9
      }\r\n
      """)
    let plain = try settings("--config", path)
    #expect(plain["preset"] as? String == "notice")
    #expect(plain["onset_threshold"] as? Double == 0.9)
    #expect(plain["hangover_ms"] as? Int == 120)
    #expect(plain["pad_ms"] as? Int == 9 && plain["min_silence_ms"] as? Int == 200)
    let options = try settings("--hangover", "30ms", "--pad", "0", "--config", path)
    #expect(options["hangover_ms"] as? Int == 30 && options["pad_ms"] as? Int == 0)
    let preset = try settings("--config", path, "--preset", "transcription")
    #expect(preset["onset_threshold"] as? Double == 0.45)
    #expect(preset["hangover_ms"] as? Int == 300, "a preset of the command line is an option")
    #expect(preset["pad_ms"] as? Int == 9)
  }

  @Test func lengthsMayHaveUnits() throws {
    let settings = try settings(
      "--config",
      file(
        "{\"pad_ms\": \"0.25s\", \"min_silence_ms\": \"1m30s\", \"split_ms\": \"1h\", \"hangover_ms\": 80}"
      ))
    #expect(settings["pad_ms"] as? Int == 250 && settings["min_silence_ms"] as? Int == 90_000)
    #expect(settings["split_ms"] as? Int == 3_600_000 && settings["hangover_ms"] as? Int == 80)
  }

  @Test func theOffsetThresholdFollowsFromTheFile() throws {
    let alone = try settings("--config", file("{\"onset_threshold\": 0.66}"))
    #expect(alone["offset_threshold"] as? Double == 0.24)
    #expect(alone["offset_follows_onset"] as? Bool == true)
    let both = try file("{\"onset_threshold\": 0.7, \"offset_threshold\": 0.5}")
    #expect(try settings("--config", both)["offset_follows_onset"] as? Bool == false)
    let moved = try settings("--config", both, "--onset-threshold", "0.8")
    #expect(moved["offset_threshold"] as? Double == 0.6)
  }

  @Test func timelinesAndMarginsMayComeFromEither() throws {
    let path = try file("{\"mute_timeline\": [[1, null]], \"speaker_margin_db\": null}")
    #expect(try settings("--config", path)["speaker_margin_db"] is NSNull)
    let margin = try settings("--config", path, "--speaker-margin", "7")
    #expect(margin["speaker_margin_db"] as? Double == 7)
    let muted = try settings("--config", path, "--muted")
    #expect(muted["mute_timeline"] as? NSArray == [[0, NSNull()]])
  }

  @Test(
    arguments: [
      ("", "holds no settings: write them with vadmon analyze --show-config --format json"),
      ("[1]", "holds no settings: write them with"),
      ("preset  \"notice\"\n", "holds no settings: write them with"),
      ("{\"pad_ms\": 3", "column 13: expected ',' or '}': check that the text is complete"),
      ("{\"pad_ms\": 3,\n \"pad_ms\": 4}", "line 2, column 10: pad_ms appears twice: keep one"),
      ("{} {}", "column 4: text follows the object: remove it"),
      ("{\"hangovr_ms\": 3}", "unknown setting hangovr_ms: did you mean hangover_ms?"),
      ("{\"config\": {\"Hangover_ms\": 3}}", "Hangover_ms: did you mean hangover_ms?"),
      (
        "{\"onset\": 1}",
        "unknown setting onset: did you mean onset_threshold or onset_debounce_ms?"
      ),
      ("{\"volume\": 11}", "unknown setting volume: remove it; vadmon analyze --show-config"),
      ("{\"config\": 3}", "unknown setting config: remove it"),
      (
        "{\"hangover_ms\": \"80\"}",
        "hangover_ms cannot be '\"80\"': write a whole number of ms from 0 to 3600000, or a length such as"
      ),
      ("{\"pad_ms\": \"2h\"}", "pad_ms cannot be '\"2h\"': write a whole number"),
      ("{\"reference_latency_ms\": \"2s\"}", "write a whole number of ms from 0 to 1000"),
      ("{\"hangover_ms\": 3600001}", "hangover_ms cannot be '3600001': write a whole number"),
      ("{\"hangover_ms\": 0.5}", "hangover_ms cannot be '0.5': write a whole number"),
      ("{\"hangover_ms\": null}", "hangover_ms cannot be 'null': write a whole number"),
      ("{\"pad_ms\": -1}", "pad_ms cannot be '-1': write a whole number of ms from 0"),
      ("{\"onset_threshold\": 1}", "onset_threshold cannot be '1': write a number above 0"),
      ("{\"onset_threshold\": 1e999}", "onset_threshold cannot be '1e999': write a number above"),
      (
        "{\"onset_threshold\": 0.3, \"offset_threshold\": 0.5}",
        "offset_threshold is 0.5 and onset_threshold is 0.3: choose them so that"
      ),
      ("{\"preset\": \"loud\"}", "preset cannot be '\"loud\"': write one of \"conversation\","),
      (
        "{\"channel\": 2}",
        "channel cannot be '2': write \"mix\", \"each\", \"any\" or a channel's number"
      ),
      ("{\"raw_channels\": 0}", "raw_channels cannot be '0': write a whole number from 1 to 1024"),
      ("{\"raw_sample_format\": \"s20\"}", "write one of \"s8\", \"u8\""),
      ("{\"reference\": 0}", "reference cannot be '0': write a name in quotes"),
      ("{\"mute_timeline\": [[2, 1]]}", "mute_timeline cannot be '[[2, 1]]': write pairs"),
      ("{\"mute_timeline\": [[2]]}", "mute_timeline cannot be '[[2]]': write pairs of seconds"),
      ("{\"speaker_margin_db\": 41}", "write a number of dB from 0 to 40, or null for off"),
      ("{\"muted\": 1}", "muted cannot be '1': write true or false"),
      ("{\"speaker_level_dbfs\": true}", "write a number of dBFS from -127 to 12, or null"),
    ])
  func aBadFileIsRefused(row: (text: String, sentence: String)) throws {
    let path = try file(row.text)
    let result = try Program.analyze("x.wav", "--config", path)
    #expect(result.status == 64 && result.output.isEmpty)
    #expect(result.errors.hasPrefix("vadmon: \(path)"), "\(result.errors)")
    #expect(result.errors.contains(row.sentence), "\(result.errors)")
    #expect(result.errors.filter(\.isNewline).count == 1)
  }

  @Test func whatCannotBeReadIsNamed() throws {
    for (path, status, sentence) in [
      (folder / "none.json", 66, "cannot read \(folder / "none.json"): No such file or directory"),
      (folder.path, 74, "cannot read \(folder.path): it is a folder; name a file in it"),
      (
        "/dev/zero", 65,
        "/dev/zero has more than 1 MB, which is too long for settings: check its name"
      ),
      ("-", 64, "--config needs a file, not '-': write the settings to one"),
      ("http://host/a.json", 64, "http://host/a.json is a URL: download it first"),
    ] {
      let result = try Program.analyze("x.wav", "--config", path)
      #expect(result.status == status && result.errors.contains(sentence), "\(result.errors)")
    }
  }

  @Test func theFileIsNotReplacedByResults() throws {
    let recording = try folder.write(TestAudio.wav(TestAudio.utterance()), to: "a.wav")
    let path = try file("{\"pad_ms\": 3}")
    let result = try Program.analyze(recording, "--config", path, "--output", path)
    #expect(result.status == 64 && result.errors.contains("the results would replace \(path)"))
    #expect(try folder.text(of: "my.json") == "{\"pad_ms\": 3}")
  }

  /// What only the other command has is checked and has no effect.
  @Test func commandsShareFiles() throws {
    let live = try file(
      "{\"muted\": true, \"reference_latency_ms\": 50, \"speaker_level_dbfs\": -20, \"hangover_ms\": 90}"
    )
    #expect(try settings("--config", live)["hangover_ms"] as? Int == 90)
    let analyzes = try file(
      shown(
        "--hangover", "444ms", "--pad", "3ms", "--speaker-margin", "9",
        "--mute-timeline", "1-2"
      ).output)
    let wav = try folder.write(TestAudio.wav(TestAudio.silence(seconds: 0.2)), to: "a.wav")
    let result = try Program.vadmon("live", "--json", "--input", wav, "--config", analyzes)
    #expect(result.output.contains("\"hangover_ms\": 444"), "\(result.errors)")
    #expect(result.output.contains("\"speaker_margin_db\": 9.0"))
    #expect(!result.output.contains("pad_ms"))
  }

  @Test(
    arguments: [
      ("{\"channel\": \"each\"}", [], "channel cannot be each in live: add --channel mix"),
      ("{\"reference\": 2}", [], "reference cannot be 2 in live: write a device's name, or null"),
      (
        "{\"reference\": \"default-monitor\"}", ["--input", "x.wav"],
        "reference is for a microphone: to analyse a file, use vadmon analyze --reference"
      ),
    ] as [(String, [String], String)])
  func liveRefusesWhatItCannotDo(row: (text: String, arguments: [String], sentence: String)) throws
  {
    let path = try file(row.text)
    let result = try Program.vadmon(["live", "--config", path] + row.arguments)
    #expect(result.status == 64)
    #expect(result.errors.contains("\(path): \(row.sentence)"), "\(result.errors)")
  }
}
