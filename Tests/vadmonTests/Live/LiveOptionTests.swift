import ALSAInput
import Annotations
import ArgumentParser
import AudioInput
import RealTime
import SystemPackage
import TestSupport
import Testing
import VoiceActivity

@testable import vadmon

/// The options that `vadmon live` accepts, and the messages for those that it does not.
@Suite struct LiveOptionTests {
  private func options(_ arguments: String...) throws -> LiveOptions {
    try LiveOptions(try LiveCommand.parse(["--no-config"] + arguments))
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
    #expect(options.settings.preset == .conversation)
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
      let error = #expect(throws: RunError.self) {
        try LiveOptions(try LiveCommand.parse(["--no-config"] + arguments))
      }
      #expect(error?.messages[0].hasPrefix("\(name) is its own reference") == true)
    }
    #expect(try options("--reference", "hw:1").reference?.device == "hw:1")
  }

  @Test func aDeviceHasAName() throws {
    let error = try #require(throws: RunError.self) { try options("--device", "") }
    expectMessage(error.messages[0], "--device", "empty", "vadmon devices")
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
    guard
      case .device(let name, _) = try LiveOptions(
        try LiveCommand.parse(["--no-config"] + arguments)
      ).input
    else {
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
    #expect(try MediaTime.span(text).milliseconds == milliseconds)
  }

  @Test(arguments: ["", "0", "5", "0s", "-1s", "1d", "m", "h", "9999999h", "1e3s", "1 s"])
  func invalidLengthsAreRefused(text: String) {
    #expect(throws: ValueError.self) { try MediaTime.span(text) }
  }

  @Test(
    arguments: [
      (["talk.wav"], ["--input", "talk.wav"]),
      (
        ["--input", "a.wav", "--device", "x"],
        ["--input", "--device"]
      ),
      (["-", "--input", "a.wav"], ["--input"]),
      (
        ["--input", "-"],
        ["--input", "-"]
      ),
      (
        ["--channel", "each"],
        ["--channel", "each", "mix", "any"]
      ),
      (
        ["--channel", "3", "--channels", "2"],
        ["--channel", "3", "--channels", "2"]
      ),
      (
        ["--rate", "7999"], ["--rate", "7999", "8000", "192000"]
      ),
      (
        ["--rate", "192001"],
        ["--rate", "192001", "8000", "192000"]
      ),
      (["--rate", "-1"], ["--rate", "-1", "8000", "192000"]),
      (["--channels", "0"], ["--channels", "0", "1", "1024"]),
      (
        ["-", "--channels", "1025"],
        ["--channels", "1025", "1", "1024"]
      ),
      (["--reference", ""], ["--reference", "the name of a device"]),
      (
        ["--reference", "far", "--reference-latency", "1001ms"],
        ["--reference-latency", "1001ms", "0ms to 1000ms"]
      ),
      (
        ["--reference", "far", "--reference-latency", "2s", "--show-config"],
        ["--reference-latency", "2s", "0ms to 1000ms"]
      ),
      (["--period", "0"], ["--period", "0ms", "1ms", "1000ms"]),
      (["--buffer", "11s"], ["--buffer", "11000ms", "1ms", "10000ms"]),
      (
        ["--buffer", "19ms"],
        ["--buffer", "19ms", "10ms", "--period"]
      ),
      (
        ["--period", "101ms"],
        ["--buffer", "200ms", "101ms", "--period"]
      ),
      (
        ["--input", "a.wav", "--buffer", "1s"],
        ["--buffer"]
      ),
      (["-", "--period", "5ms"], ["--period"]),
      (
        ["--sample-format", "s16le"],
        ["--sample-format", "PCM"]
      ),
      (
        ["--input", "f", "--threshold", "0.5"],
        ["--threshold", "--onset-threshold", "--offset-threshold"]
      ),
      (
        ["--input", "f", "--trim", "x.wav"],
        ["live", "--trim", "analyze"]
      ),
      (["--foo"], ["live", "--foo", "vadmon live --help"]),
      (
        ["--input", "http://x/y.wav"],
        ["http://x/y.wav"]
      ),
      (
        ["--speaker-level", "-127.1"],
        ["--speaker-level", "-127.1", "-127", "12"]
      ),
      (
        ["--speaker-level", "off"],
        ["--speaker-level", "off", "-127", "12"]
      ),
      (["--levels", "5"], ["--levels", "--json"]),
      (
        ["--json", "--levels", "0"],
        ["--levels", "0", "1", "50", "20"]
      ),
      (
        ["--json", "--levels", "100"],
        ["--levels", "100", "1", "50", "20"]
      ),
      (["--on-event-kinds", "gap"], ["--on-event-kinds", "--on-event"]),
      (["--on-event-timeout", "1s"], ["--on-event-timeout", "--on-event"]),
      (["--pad", "5ms"], ["--pad", "--save-segments", "DIR"]),
      (["--merge", "5ms"], ["--merge", "--save-segments", "DIR"]),
      (["--min-silence", "5ms"], ["--merge", "--save-segments", "DIR"]),
      (["--min-speech", "5ms"], ["--min-speech", "--save-segments", "DIR"]),
      (["--split", "30s"], ["--split", "--save-segments", "DIR"]),
      (["--fade", "5ms"], ["--fade", "--save-segments", "DIR"]),
      (
        ["--segment-name", "{index}"],
        ["--segment-name", "--save-segments", "DIR"]
      ),
      (
        ["--segment-format", "flac"],
        ["--segment-format", "--save-segments", "DIR"]
      ),
      (
        ["--save-segments", "d", "--split", "1500ms"],
        ["--split", "1500 ms", "1600 ms"]
      ),
      (["--line", "--full"], ["--line", "--full"]),
      (["--quiet", "--line"], ["--quiet", "--line"]),
      (
        ["--record", "-"],
        ["--record", "-", ".wav"]
      ),
      (["--record", "x.flac"], ["--record x.flac", "WAV", ".wav"]),
      (["--record", "x.OPUS"], ["--record x.OPUS", "WAV", ".wav"]),
      (
        ["--on-event-argument", "x"],
        ["--on-event-argument", "--on-event"]
      ),
      (
        ["--offset-threshold", "0.9"],
        ["--offset-threshold", "0.9", "the onset threshold (default)", "0.82", "0", "1"]
      ),
    ] as [([String], [String])])
  func oneSentenceForEachMistake(row: (arguments: [String], names: [String])) throws {
    let result = try Program.vadmon(["live"] + row.arguments)
    #expect(result.status == 64)
    #expect(result.errors.hasPrefix("vadmon: "), "\(result.errors)")
    expectMessage(result.errors, names: row.names)
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
    #expect(throws: ValueError.self) { try Set<LiveEvent.Name>(parsing: text) }
  }
}
