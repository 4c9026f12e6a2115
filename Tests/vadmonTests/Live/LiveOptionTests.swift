import ALSAInput
import Annotations
import ArgumentParser
import AudioInput
import RealTime
import SystemPackage
import Testing
import VoiceActivity

@testable import vadmon

/// The options that `vadmon live` accepts, and the messages for those that it does not.
@Suite struct LiveOptionTests {
  private func options(_ arguments: String...) throws -> LiveOptions {
    try LiveOptions(try LiveCommand.parse(arguments))
  }

  @Test func optionsHaveDefaults() throws {
    let options = try options()
    guard case .device(let name, let configuration) = options.input else {
      Issue.record("a device is listened to")
      return
    }
    #expect(name == "default")
    #expect(configuration == .init())
    #expect(options.channel == .mix)
    #expect(options.preset == .conversation)
    #expect(options.speakerMargin == 15)
    #expect(!options.startsMuted && !options.isJSON && !options.isQuiet)
    #expect(options.duration == nil && options.record == nil && options.hook == nil)
  }

  @Test func theDeviceIsAskedForWhatWasGiven() throws {
    let options = try options(
      "--device", "hw:1", "--rate", "44100", "--channels", "2", "--channel", "2", "--period",
      "20ms", "--buffer", "400ms")
    guard case .device("hw:1", let configuration) = options.input else {
      Issue.record("hw:1 is listened to")
      return
    }
    #expect(configuration.sampleRate == 44_100)
    #expect(configuration.channelCount == 2)
    #expect(configuration.channels == .channel(2))
    #expect(configuration.period == .milliseconds(20))
    #expect(configuration.buffer == .milliseconds(400))
  }

  @Test func aMicrophoneIsNotItsOwnReference() throws {
    for (arguments, name) in [
      (["--device", "hw:1", "--reference", "hw:1"], "hw:1"),
      (["--reference", "default"], "default"),
    ] {
      let error = #expect(throws: UsageError.self) {
        try LiveOptions(try LiveCommand.parse(arguments))
      }
      #expect(error?.message.hasPrefix("\(name) is its own reference") == true)
    }
    #expect(try options("--reference", "hw:1").reference?.device == "hw:1")
  }

  @Test func theSpeakerMarginIsANumberOrOff() throws {
    #expect(try options("--speaker-margin", "12.5").speakerMargin == 12.5)
    #expect(try options("--speaker-margin", "off").speakerMargin == .infinity)
    for text in ["-1", "40.1", "nan", "inf", "", "on"] {
      #expect(throws: (any Error).self, "\(text)") { try options("--speaker-margin", text) }
    }
    let settings = try RunConfiguration(options("--speaker-margin", "12.5")).json.text
    #expect(settings.contains("\"speaker_margin_db\": 12.5"))
    let off = try RunConfiguration(options("--speaker-margin", "off")).json.text
    #expect(off.contains("\"speaker_margin_db\": null"))
  }

  /// The level has an effect at once.
  @Test func theSpeakerLevelOfAnEarlierRunIsANumber() throws {
    let given = try options("--speaker-level", "-24.8")
    #expect(given.speakerLevel == .init(dBFS: -24.8, learned: .seconds(3)))
    #expect(try options("--speaker-level=12").speakerLevel?.dBFS == 12)
    #expect(try options().speakerLevel == nil)
    #expect(RunConfiguration(given).json.text.contains("\"speaker_level_dbfs\": -24.8"))
    #expect(try RunConfiguration(options()).json.text.contains("\"speaker_level_dbfs\": null"))
  }

  /// As getopt(3) reads them.
  @Test(arguments: [["-dhw:1"], ["-d", "hw:1"], ["-q", "-dhw:1"], ["-d=hw:1"], ["--device=hw:1"]])
  func aShortOptionMayHaveItsValueAttached(arguments: [String]) throws {
    guard case .device(let name, _) = try LiveOptions(try LiveCommand.parse(arguments)).input else {
      Issue.record("a device is listened to")
      return
    }
    #expect(name == "hw:1")
  }

  @Test func rawPCMIsWhatAnalyzeTakes() throws {
    guard case .standardInput(let standard) = try options("-").input,
      case .standardInput(let chosen) = try options(
        "-", "--rate", "8000", "--sample-format", "f32le", "--channels", "3"
      ).input
    else {
      Issue.record("standard input is listened to")
      return
    }
    #expect(standard == RawPCMFormat(sampleRate: 16_000))
    #expect(
      chosen == RawPCMFormat(sampleRate: 8000, sampleFormat: .f32le, channelCount: 3))
  }

  @Test(arguments: [
    ("250ms", 250), ("1.5s", 1500), ("1m30s", 90_000), ("1.5", 1500), ("10m", 600_000),
    ("0.5h", 1_800_000),
    ("8h", 28_800_000),
  ])
  func lengthsMayBeLong(text: String, milliseconds: UInt64) throws {
    #expect(try SpanArgument(parsing: text).length.milliseconds == milliseconds)
  }

  @Test(arguments: ["", "0", "5", "0s", "-1s", "1d", "m", "h", "9999999h", "1e3s", "1 s"])
  func invalidLengthsAreRefused(text: String) {
    #expect(throws: ValueError.self) { try SpanArgument(parsing: text) }
  }

  @Test(
    arguments: [
      (["talk.wav"], "to listen to a file, write --input talk.wav"),
      (
        ["--input", "a.wav", "--device", "x"],
        "--input and --device exclude each other: choose one"
      ),
      (["-", "--input", "a.wav"], "- and --input exclude each other: choose one"),
      (
        ["--input", "-"],
        "--input needs a file; for standard input write '-' alone"
      ),
      (
        ["--channel", "each"],
        "--channel cannot be 'each': write mix, any or a channel's number from 1"
      ),
      (
        ["--channel", "3", "--channels", "2"],
        "--channel 3 is not among the --channels 2: write more --channels, or a smaller --channel"
      ),
      (
        ["--rate", "7999"], "--rate cannot be '7999': write a whole number from 8000 to 192000 (Hz)"
      ),
      (
        ["--rate", "192001"],
        "--rate cannot be '192001': write a whole number from 8000 to 192000 (Hz)"
      ),
      (["--rate", "-1"], "--rate cannot be '-1': write a whole number from 8000 to 192000 (Hz)"),
      (["--channels", "0"], "--channels cannot be '0': write a whole number from 1 to 1024"),
      (
        ["-", "--channels", "1025"],
        "--channels cannot be '1025': write a whole number from 1 to 1024"
      ),
      (["--period", "0"], "--period cannot be '0ms': write a length from 1ms to 1000ms"),
      (["--buffer", "11s"], "--buffer cannot be '11000ms': write a length from 1ms to 10000ms"),
      (
        ["--buffer", "19ms"],
        "--buffer 19ms holds less than two periods of 10ms: make it longer, or --period shorter"
      ),
      (
        ["--period", "101ms"],
        "--buffer 200ms holds less than two periods of 101ms: make it longer, or --period shorter"
      ),
      (
        ["--input", "a.wav", "--buffer", "1s"],
        "--buffer is for devices, not for files: leave it out"
      ),
      (["-", "--period", "5ms"], "--period is for devices, not for standard input: leave it out"),
      (
        ["--sample-format", "s16le"],
        """
        --sample-format is for raw PCM, and a device is asked which formats it has: leave it out
        """
      ),
      (
        ["--input", "f", "--threshold", "0.5"],
        "live has no option --threshold: did you mean --onset-threshold or --offset-threshold?"
      ),
      (
        ["--input", "f", "--trim", "x.wav"],
        "live has no option --trim: leave it out; it belongs to analyze"
      ),
      (["--foo"], "live has no option --foo: vadmon live --help lists those that it has"),
      (
        ["--input", "http://x/y.wav"],
        "http://x/y.wav is a URL: download it first, and name the file"
      ),
      (
        ["--speaker-level", "-127.1"],
        "--speaker-level cannot be '-127.1': write a number of dBFS from -127 to 12"
      ),
      (
        ["--speaker-level", "off"],
        "--speaker-level cannot be 'off': write a number of dBFS from -127 to 12"
      ),
      (["--levels", "5"], "--levels is for --json: add it"),
      (
        ["--json", "--levels", "0"],
        "--levels cannot be '0': write a whole number from 1 to 50 (the detector decides every 20 ms)"
      ),
      (
        ["--json", "--levels", "100"],
        "--levels cannot be '100': write a whole number from 1 to 50 (the detector decides every 20 ms)"
      ),
      (["--on-event-kinds", "gap"], "--on-event-kinds is for --on-event: name the program"),
      (["--on-event-timeout", "1s"], "--on-event-timeout is for --on-event: name the program"),

      (["--pad", "5ms"], "--pad is for --save-segments: add --save-segments DIR"),
      (["--merge", "5ms"], "--merge is for --save-segments: add --save-segments DIR"),
      (["--min-silence", "5ms"], "--merge is for --save-segments: add --save-segments DIR"),
      (["--min-speech", "5ms"], "--min-speech is for --save-segments: add --save-segments DIR"),
      (["--split", "30s"], "--split is for --save-segments: add --save-segments DIR"),
      (["--fade", "5ms"], "--fade is for --save-segments: add --save-segments DIR"),
      (
        ["--segment-name", "{index}"],
        "--segment-name is for --save-segments: add --save-segments DIR"
      ),
      (
        ["--segment-format", "flac"],
        "--segment-format is for --save-segments: add --save-segments DIR"
      ),
      (
        ["--save-segments", "d", "--split", "1500ms"],
        "--split 1500ms is too short to have a pause to cut at: write at least 1600ms"
      ),
      (["--line", "--full"], "--line and --full contradict each other: choose one"),
      (["--quiet", "--line"], "--quiet and --line contradict each other: choose one"),
      (
        ["--record", "-"],
        "--record needs a file of its own, not '-': name one that ends with .wav"
      ),
      (
        ["--on-event-argument", "x"],
        "--on-event-argument is for --on-event: name the program"
      ),
      (
        ["--offset-threshold", "0.9"],
        """
        --offset-threshold is 0.9 and --onset-threshold is 0.82 (what is not given is the \
        preset's): choose them so that 0 < offset <= onset < 1
        """
      ),
    ] as [([String], String)])
  func oneSentenceForEachMistake(row: (arguments: [String], sentence: String)) throws {
    let result = try Program.run([Program.path, "live"] + row.arguments)
    #expect(result.status == 64)
    #expect(result.errors == "vadmon: \(row.sentence)\n")
    #expect(result.output.isEmpty)
  }

  @Test func argumentsOfTheHookArePassedOnAsTheyAre() throws {
    let hook = try options(
      "--on-event", "run me", "--on-event-argument", "--json", "--on-event-argument", "$(a) 'b'",
      "--on-event-argument", ""
    ).hook
    #expect(hook?.program == "run me")
    #expect(hook?.kinds == nil && hook?.timeLimit == .seconds(5))
    #expect(hook?.arguments == ["--json", "$(a) 'b'", ""].map { Array($0.utf8) })
  }

  @Test func theHookHasKindsAndATimeLimit() throws {
    let hook = try options(
      "--on-event", "x", "--on-event-kinds", "muted_speech,GAP", "--on-event-timeout", "2m"
    ).hook
    #expect(hook?.kinds == [.mutedSpeech, .gap])
    #expect(hook?.timeLimit == .seconds(120))
  }

  @Test(arguments: ["", "onset,", "onset offset", "speech"])
  func unknownKindsAreRefused(text: String) {
    #expect(throws: ValueError.self) { try EventKindsArgument(parsing: text) }
  }
}
