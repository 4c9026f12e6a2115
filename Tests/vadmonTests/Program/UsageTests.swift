import Foundation
import TestSupport
import Testing

/// Wrong usage: exit code 64, the reason on standard error, nothing on standard output.
@Suite struct UsageTests {
  @Test(arguments: ["", "analyze", "live", "devices", "compare", "tune", "pause", "bench"])
  func helpIsACommandToo(command: String) throws {
    let names = command.isEmpty ? [] : [command]
    let help = try Program.run([Program.path, "help"] + names)
    #expect(help.status == 0 && help.output.contains("USAGE: vadmon \(command)"))
    let option = try Program.run([Program.path] + names + ["--help"])
    #expect(help.output == option.output)
  }

  @Test(arguments: ["-j2", "-j=2", "-j 2"]) func jobsMayBeAttached(option: String) throws {
    let words = option.split(separator: " ").map(String.init)
    let result = try Program.run([Program.path] + words + ["--show-config"])
    #expect(result.status == 0, "\(result.errors)")
    let bad = try Program.run([Program.path, "x.wav", "-j0"])
    #expect(bad.status == 64)
    #expect(bad.errors == "vadmon: -j cannot be '0': write a whole number from 1 to 1024\n")
    for words in [["x.wav", "-vj2"], ["-vj2", "x.wav"]] {
      let joined = try Program.run([Program.path] + words)
      #expect(joined.status == 64)
      #expect(
        joined.errors == """
          vadmon: analyze has no option -vj2: write short options apart; vadmon analyze --help lists \
          them

          """)
    }
  }

  @Test(
    arguments: [
      (["--no-such-flag", "x.wav"], "--no-such-flag"),
      ([], "name at least one recording"),
      (
        ["x.wav", "--format", "xml"],
        "vadmon: --format cannot be 'xml': write text, json, jsonl, file-jsonl, rttm,"
      ),
      (["x.wav", "--onset-threshold", "1.5"], "0 < offset <= onset < 1"),
      (["x.wav", "--offset-threshold", "0.99"], "--offset-threshold is 0.99"),
      (["x.wav", "--onset-threshold", "nan"], "0 < offset <= onset < 1"),
      (
        ["x.wav", "--preset", "notice", "--offset-threshold", "0.91"],
        "--onset-threshold is 0.9 (what is not given is the preset's)"
      ),
      (["x.wav", "--preset", "loud"], "'loud'"),
      (
        ["x.wav", "--preset", "noticed"],
        "--preset cannot be 'noticed': write conversation, notice or transcription\n"
      ),
      (
        ["x.wav", "--plot", "-"],
        "--plot needs a file of its own, not '-': name one that ends with .svg or .png\n"
      ),
      (
        ["x.wav", "--trim", "-"],
        "--trim needs a file of its own, not '-': name one that ends with .wav or .flac\n"
      ),
      (
        ["x.wav", "--frames", "-"],
        "--frames writes files to a folder, not to standard output: name a folder\n"
      ),
      (["x.wav", "--output-dir", "-"], "--output-dir writes files to a folder"),
      (["x.wav", "--save-segments", "-"], "--save-segments writes files to a folder"),
      (["x.wav", "--hangover", "2h"], "2h"),
      (["x.wav", "--hangover", "3601s"], "3601s"),
      (
        ["x.wav", "--pad", "fast"],
        "--pad cannot be 'fast': write it as 250ms, 0.25s, 2m or 1h30m\n"
      ),
      (["x.wav", "--merge", "1"], "vadmon: --merge cannot be '1': write 1ms or 1s\n"),
      (["x.wav", "--split", "30"], "vadmon: --split cannot be '30': write 30ms or 30s\n"),
      (["x.wav", "--pad", "-1ms"], "--pad cannot be '-1ms': write"),
      (["x.wav", "--hangover", "-1"], "--hangover cannot be '-1': write it as"),
      (["x.wav", "--onset-threshold", "-0.5"], "--onset-threshold is -0.5"),
      (["x.wav", "--jobs", "-1"], "--jobs cannot be '-1': write a whole number from 1 to 1024\n"),
      (
        ["-", "--rate", "-8000"],
        "--rate cannot be '-8000': write a whole number from 8000 to 192000 (Hz)\n"
      ),
      (
        ["x.wav", "--channel", "-1"],
        "--channel cannot be '-1': write mix, each, any or a channel's number from 1\n"
      ),
      (["x.wav", "--mute-timeline", "-3-5"], "--mute-timeline cannot be '-3-5'"),
      (
        ["x.wav", "--mute-timeline", "5-3"], "'5-3' ends before it begins; write it like 0-3.5,10-"
      ),
      (["x.wav", "--mute-timeline", ""], "is not START-END"),
      (["x.wav", "--muted", "--mute-timeline", "0-"], "contradict"),
      (
        ["x.wav", "--speaker-margin", "15"],
        "--speaker-margin is for --mute-timeline: add when the microphone is muted"
      ),
      (
        ["x.wav", "--muted", "--speaker-margin", "off"],
        "--speaker-margin is for --mute-timeline: add when the microphone is muted"
      ),
      (
        ["x.wav", "--mute-timeline", "0-", "--speaker-margin", "40.5"],
        "--speaker-margin cannot be '40.5': write a number of dB from 0 to 40, or off"
      ),
      (["x.wav", "--output", "a", "--output-dir", "b"], "exclude each other"),
      (
        ["x.wav", "--channel", "0"],
        "--channel cannot be '0': write mix, each, any or a channel's number from 1\n"
      ),
      (["x.wav", "--channel", "left"], "left"),
      (["x.wav", "--jobs", "0"], "--jobs cannot be '0'"),
      (["-", "--rate", "4000"], "--rate cannot be '4000'"),
      (["-", "--channels", "0"], "--channels cannot be '0': write a whole number from 1 to 1024"),
      (["-", "--sample-format", "s12"], "write s8, u8, s16le, s16be, s24le,"),
      (["-", "--sample-format", "S24_LE"], "record S24_3LE or S32_LE instead"),
      (["a.wav", "http://host/b.wav"], "vadmon: http://host/b.wav is a URL: download it first"),
      (["--files-from", "s3://bucket/list"], "vadmon: s3://bucket/list is a URL"),
      (["x.wav", "--treshold", "0.5"], "did you mean --onset-threshold or --offset-threshold?"),
      (
        ["x.wav", "--devise", "hw:1"], "analyze has no option --devise: vadmon analyze --help lists"
      ),
      (
        ["x.wav", "--device", "hw:1"],
        "analyze has no option --device: leave it out; it belongs to live"
      ),
      (["x.wav", "--onset-threshold", "x"], "cannot be 'x': write a number between 0 and 1"),
      (["x.wav", "--output", ""], "vadmon: --output cannot be empty: write --output FILE\n"),
      (["x.wav", "--output"], "vadmon: --output needs a value: write --output FILE\n"),
      (["x.wav", "--force=1"], "vadmon: --force takes no value: leave out what follows the =\n"),
      (["", "x.wav"], "vadmon: INPUTS cannot be empty: write a name\n"),
      (["--generate-completion-script", "tcsh"], "write bash, zsh or fish\n"),
      (["-", "-"], "standard input can be read only once"),
      (["-", "--null"], "--null is for names"),
      (["-", "--files-from", "-"], "standard input can be read only once"),
      (["a/x.wav", "a/x.wav", "--frames", "out"], "would both become out/x.csv"),
      (
        ["b/x.wav", "b/x.flac", "b/x.wav.au", "--output-dir", "out", "--format", "srt"],
        "b/x.wav and b/x.wav.au would both become out/x.wav.srt; rename one of them"
      ),
      (["a/x.wav", "b/x.wav", "--format", "rttm"], "a/x.wav and b/x.wav would both become x;"),
      (["a.wav", "b.wav", "--format", "vtt"], "add --output-dir DIR"),
    ] as [([String], String)])
  func wrongArgumentsAreRefused(row: ([String], String)) throws {
    let result = try Program.run([Program.path, "analyze"] + row.0)
    #expect(result.status == 64)
    #expect(result.output.isEmpty)
    #expect(result.errors.hasPrefix("vadmon: "), "\(result.errors)")
    #expect(result.errors.contains(row.1), "\(result.errors)")
    #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
  }

  @Test func wordsMayHaveUpperCase() throws {
    let upper = [
      "--format", "JSON", "--preset", "Notice", "--channel", "ANY", "--sample-format", "S16LE",
      "--color", "Never", "--log-level", "ERROR", "--segment-format", "FLAC", "--save-segments",
      "X",
    ]
    let lower = upper.map { $0 == "X" ? $0 : $0.lowercased() }
    let run = { try Program.run([Program.path, "analyze", "--show-config"] + $0) }
    #expect(try run(upper).status == 0 && run(upper).output == run(lower).output)
  }

  @Test func shortOptionsAreTheLongOnes() throws {
    let folder = try TemporaryFolder()
    let long = try Program.run([Program.path, "--show-config", "--format", "json"])
    let short = try Program.run([Program.path, "--show-config", "-f", "json", "-o", folder / "c"])
    #expect(short.status == 0 && short.output.isEmpty)
    #expect(try folder.text(of: "c") == long.output)
    let version = try Program.run([Program.path, "--version"])
    #expect(try Program.run([Program.path, "-V"]).output == version.output)
  }

  @Test func theHelpOfTuneSaysNothingOfOtherCommandsOptions() throws {
    let help = try Program.run([Program.path, "tune", "--help"]).output
    #expect(!help.contains("--save-segments") && help.contains("--pad <LENGTH>"))
  }

  /// A recording may have the name of a misspelled command, and needs no command before it.
  @Test func aFileNeedsNoCommand() throws {
    let folder = try TemporaryFolder()
    let wav = TestAudio.wav(TestAudio.utterance())
    try folder.write(wav, to: "analize")
    for arguments in ["analize", "--format csv analize", "./analize", "- < analize", "."] {
      let enter = "cd \"$1\" && \"$vadmon\" "
      let bare = try Program.shell(enter + arguments, folder.path)
      let full = try Program.shell(enter + "analyze " + arguments, folder.path)
      #expect(bare.status == 0 && bare.output == full.output, "\(arguments): \(bare.errors)")
      #expect(bare.output.contains("analize") || bare.output.contains("standard input"))
    }
    let missing = try Program.run([Program.path, folder / "other.wav"])
    #expect(missing.status == 66)
    #expect(missing.errors.hasPrefix("vadmon: cannot open \(folder / "other.wav"): "))
  }

  @Test func noArgumentsShowTheHelp() throws {
    let result = try Program.run([Program.path])
    #expect(result.status == 0)
    #expect(result.output == (try Program.run([Program.path, "--help"])).output)
  }

  /// User input must not reach the terminal as a command.
  @Test func messagesShowNoControlCharacters() throws {
    let result = try Program.run([Program.path, "analyze", "--format", "\u{1B}[31m", "x.wav"])
    #expect(result.status == 64)
    #expect(!result.errors.contains("\u{1B}") && result.errors.contains("\\u{1B}[31m"))
  }

  /// A chroot has no /proc, from which Swift reads arguments, and AddressSanitizer its options.
  @Test(.enabled(if: canUnmountProc && ProcessInfo.processInfo.environment["ASAN_OPTIONS"] == nil))
  func argumentsDoNotNeedProc() throws {
    let result = try Program.run([
      "/usr/bin/unshare", "-m", "/bin/sh", "-c",
      "mount -t tmpfs none /proc && exec \"$0\" analyze --show-config --pad 7ms", Program.path,
    ])
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.lines.contains { $0.hasPrefix("pad_ms") && $0.hasSuffix(" 7") })
  }

  /// Root can do this, as can users with namespaces; others cannot run this test.
  static let canUnmountProc =
    (try? Program.run(["/usr/bin/unshare", "-m", "mount", "-t", "tmpfs", "none", "/proc"]))?.status
    == 0

  @Test(arguments: [
    ["--help"], ["analyze", "--help"], ["--version"], ["-V"], ["help", "analyze"],
  ])
  func helpAndVersionSucceedOnStandardOutput(arguments: [String]) throws {
    let result = try Program.run([Program.path] + arguments)
    #expect(result.status == 0)
    #expect(!result.output.isEmpty && result.errors.isEmpty)
  }

  @Test func helpSaysWhatEachPresetIsFor() throws {
    let help = try Program.run([Program.path, "analyze", "--help"]).output
    for purpose in ["calls and meetings", "a late notice is better", "extra sound is better"] {
      #expect(help.contains(purpose))
    }
  }

  /// Any channel may be selected, not only those that a shell completes.
  @Test func helpDoesNotCountChannels() throws {
    let help = try Program.run([Program.path, "analyze", "--help"]).output
    let words = help.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains("or channel N, counted from 1. (default: mix)"))
  }

  /// Options common to all commands have the same description in each.
  @Test(arguments: ["analyze", "compare", "tune", "pause", "bench"])
  func everyCommandHasTheSameResultOptions(command: String) throws {
    let help = try Program.run([Program.path, command, "--help"]).output
    let words = help.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(
      words.contains(
        "-o, --output <FILE> Write the results to FILE, which is replaced once they are complete."))
    #expect(
      words.contains("-q, --quiet Show no progress bar and no warnings."))
  }
}
