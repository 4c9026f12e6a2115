import Foundation
import TestSupport
import Testing
import VoiceActivity

/// The settings that are shown are those in effect.
@Suite struct ConfigurationTests {
  private let folder = TemporaryFolder()
  private let recording: String

  init() throws {
    recording = try folder.write(TestAudio.wav(TestAudio.utterance()), to: "a.wav")
  }

  /// Returns what is shown: the settings and what cannot be set.
  private func shown(_ arguments: [String]) throws -> JSONObject {
    let result = try Program.analyze(["--show-config", "--format", "json"] + arguments)
    #expect(result.status == 0)
    return try result.json
  }

  private func config(_ arguments: String...) throws -> JSONObject {
    try shown(arguments).object("config")
  }

  @Test func theDefaultsAreTheDetectors() throws {
    let shown = try config()
    let defaults = VoiceActivityDetector.Configuration()
    #expect(shown["onset_threshold"] as? Double == Double("\(defaults.onsetThreshold)"))
    #expect(shown["offset_threshold"] as? Double == Double("\(defaults.offsetThreshold)"))
    let durations = [
      "onset_debounce_ms": defaults.onsetDebounce, "hangover_ms": defaults.hangover,
      "mute_grace_ms": defaults.muteGrace, "mute_carry_over_ms": defaults.muteCarryOver,
      "muted_speech_hold_ms": defaults.mutedSpeechHold,
      "muted_speech_release_ms": defaults.mutedSpeechRelease,
    ]
    for (name, duration) in durations {
      #expect(shown[name] as? Int == Int(duration / .milliseconds(1)), "\(name)")
    }
    #expect(shown["preset"] as? String == "conversation")
    for (name, length) in [("pad_ms", 0), ("min_speech_ms", 0), ("min_silence_ms", 200)] {
      #expect(shown[name] as? Int == length, "\(name)")
    }
  }

  @Test func everyOptionIsShownAsGiven() throws {
    let shown = try config(
      "--preset", "notice", "--onset-threshold", "0.75", "--offset-threshold", "0.25",
      "--onset-debounce", "70ms",
      "--hangover", "0.5s", "--mute-grace", "1ms", "--mute-carry-over", "2s", "--muted-hold",
      "3ms",
      "--muted-release", "4ms", "--pad", "5ms", "--min-speech", "6ms", "--min-silence", "7ms",
      "--split", "30s", "--channel", "2", "--rate", "8000", "--sample-format", "f32be",
      "--channels", "3",
      "--mute-timeline", "0-3.5,10-", "--speaker-margin", "12.5")
    let expected: [String: Any] = [
      "preset": "notice", "onset_threshold": 0.75, "offset_threshold": 0.25,
      "onset_debounce_ms": 70,
      "hangover_ms": 500, "mute_grace_ms": 1, "mute_carry_over_ms": 2000,
      "muted_speech_hold_ms": 3, "muted_speech_release_ms": 4, "pad_ms": 5, "min_speech_ms": 6,
      "min_silence_ms": 7, "split_ms": 30_000, "invert": false,
      "from_ms": 0, "to_ms": NSNull(), "raw_rate_hz": 8000,
      "raw_sample_format": "f32be",
      "raw_channels": 3,
      "offset_follows_onset": false, "channel": "2", "reference": NSNull(),
      "mute_timeline": [[0, 3.5], [10, NSNull()]], "speaker_margin_db": 12.5,
    ]
    #expect(shown as NSDictionary == expected as NSDictionary)
  }

  /// One origin may invert or split, but not both. Of two, the more important one decides.
  @Test func silenceHasNoSplit() throws {
    let invert = try folder.write("{\"invert\": true}", to: "invert.json")
    let split = try folder.write("{\"split_ms\": 30000}", to: "split.json")
    let both = try folder.write("{\"invert\": true, \"split_ms\": 30000}", to: "both.json")
    for (arguments, isInverted, length) in [
      (["--config", invert], true, "null"), (["--config", split, "--invert"], true, "null"),
      (["--config", invert, "--split", "30s"], false, "30000"),
    ] {
      let run = try Program.analyze(["--show-config"] + arguments)
      let rows = run.lines.map { $0.split(separator: " ").prefix(2).map(String.init) }
      #expect(rows.contains(["invert", "\(isInverted)"]) && rows.contains(["split_ms", length]))
    }
    let run = try Program.analyze("--show-config", "--config", both)
    #expect(run.status == 64)
    expectMessage(
      run.errors, "\(both): split_ms cuts speech", "invert of \(both) lists", "choose one")
  }

  @Test(arguments: VoiceActivityDetector.Configuration.Preset.allCases)
  func presetsAreTheDetectors(preset: VoiceActivityDetector.Configuration.Preset) throws {
    let shown = try config("--preset", preset.rawValue)
    let expected = VoiceActivityDetector.Configuration(preset: preset)
    #expect(shown["preset"] as? String == preset.rawValue)
    #expect(shown["onset_threshold"] as? Double == Double("\(expected.onsetThreshold)"))
    #expect(shown["offset_threshold"] as? Double == Double("\(expected.offsetThreshold)"))
    #expect(shown["onset_debounce_ms"] as? Int == Int(expected.onsetDebounce / .milliseconds(1)))
    #expect(shown["hangover_ms"] as? Int == Int(expected.hangover / .milliseconds(1)))
  }

  /// One flag replaces one setting of the preset, wherever the flag is.
  @Test(arguments: ["onset-threshold", "offset-threshold", "onset-debounce", "hangover"])
  func aFlagReplacesOneSettingOfThePreset(flag: String) throws {
    let preset = try config("--preset", "notice")
    let isThreshold = flag.hasSuffix("threshold")
    let value = isThreshold ? "0.75" : "70ms"
    let name = flag.replacingOccurrences(of: "-", with: "_") + (isThreshold ? "" : "_ms")
    var expected = preset
    expected[name] = isThreshold ? 0.75 : 70
    if flag == "onset-threshold" {
      expected["offset_threshold"] = 0.55
      expected["offset_follows_onset"] = true
    }
    for arguments in [
      ["--preset", "notice", "--" + flag, value], ["--" + flag, value, "--preset", "notice"],
    ] {
      #expect(try shown(arguments).object("config") as NSDictionary == expected as NSDictionary)
    }
    #expect(preset as NSDictionary != expected as NSDictionary)
  }

  /// The distance is that of the preset, but the offset threshold is never below a third of the onset threshold.
  @Test(
    arguments: [
      ("conversation", "0.3", 0.1), ("conversation", "0.66", 0.24), ("conversation", "0.9", 0.48),
      ("conversation", "0.45", 0.15), ("conversation", "0.27", 0.09),
      ("conversation", "0.15", 0.05), ("notice", "0.03", 0.01), ("transcription", "0.5", 0.4),
    ] as [(String, String, Double)])
  func theOffsetThresholdFollowsTheOnsetThreshold(row: (String, String, Double)) throws {
    let arguments = ["--preset", row.0, "--onset-threshold", row.1]
    let shown = try shown(arguments).object("config")
    #expect(shown["onset_threshold"] as? Double == Double(row.1))
    #expect(shown["offset_threshold"] as? Double == row.2)
    #expect(shown["offset_follows_onset"] as? Bool == true)
    let given = try Program.analyze(["--show-config", "--offset-threshold", "0.01"] + arguments)
    let rows = given.words
    #expect(rows.contains(["offset_threshold", "0.01", "option"]))
    #expect(rows.contains(["offset_follows_onset", "false", "option"]))
  }

  @Test(arguments: ["text", "json", "jsonl"]) func theConfigurationGoesWhereResultsGo(
    format: String
  ) throws {
    let arguments = ["--show-config", "--format", format]
    let file = folder / "settings"
    let written = try Program.analyze(arguments + ["--output", file])
    #expect(written.status == 0 && written.output.isEmpty && written.errors.isEmpty)
    #expect(try folder.text(of: "settings") == Program.analyze(arguments).output)
  }

  @Test func resultsCarryWhatWasShown() throws {
    let arguments = ["--hangover", "333ms", "--pad", "10ms"]
    let result = try Program.analyze([recording, "--format", "jsonl"] + arguments)
    let record = try #require(result.records.first)
    let shown = try shown(arguments)
    #expect(record["config"] as? NSDictionary == shown["config"] as? NSDictionary)
    #expect(record["lookahead_ms"] as? Int == shown["lookahead_ms"] as? Int)
    #expect(
      record["lookahead_ms"] as? Int == Int(VoiceActivityDetector.lookahead / .milliseconds(1)))
  }

  @Test func theTextShowsOneSettingALine() throws {
    let result = try Program.analyze("--show-config", "--hangover", "90ms")
    let rows = result.words
    #expect(rows.contains(["hangover_ms", "90", "option"]))
    #expect(rows.contains(["channel", "\"mix\"", "default"]))
  }

  @Test func onlySpeechBringsTheExitCodeZeroIfAsked() throws {
    let silent = try folder.write(TestAudio.wav(TestAudio.silence(seconds: 2)), to: "silent.wav")
    #expect(try Program.analyze(silent).status == 0)
    #expect(try Program.analyze(silent, "--exit-code").status == 1)
    #expect(try Program.analyze(recording, "--exit-code").status == 0)
    #expect(try Program.analyze(silent, recording, "--exit-code").status == 0)
    #expect(try Program.analyze(silent, folder / "missing.wav", "--exit-code").status == 66)
    #expect(try Program.analyze(recording, "--exit-code", "--min-speech", "2h").status == 64)
    #expect(try Program.analyze(recording, "--exit-code", "--min-speech", "60s").status == 1)
  }

  @Test func loggingGoesToStandardError() throws {
    let quiet = try Program.analyze(recording)
    let verbose = try Program.analyze(recording, "--verbose")
    #expect(verbose.output == quiet.output)
    #expect(verbose.errors.contains("debug") && verbose.errors.contains("opened \(recording)"))
    #expect(try Program.analyze(recording, "--log-level", "error").errors.isEmpty)
  }
}
