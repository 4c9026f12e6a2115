import Foundation
import TestSupport
import Testing

/// Wrong usage: exit code 64, the reason on standard error, nothing on standard output.
@Suite struct UsageTests {
  @Test(arguments: [""] + Program.commands)
  func helpIsACommandToo(command: String) throws {
    let names = command.isEmpty ? [] : [command]
    let help = try Program.vadmon(["help"] + names)
    #expect(help.status == 0 && help.output.contains("USAGE: vadmon \(command)"))
    let option = try Program.vadmon(names + ["--help"])
    #expect(help.output == option.output)
  }

  @Test(arguments: ["-j2", "-j=2", "-j 2"]) func jobsMayBeAttached(option: String) throws {
    let words = option.split(separator: " ").map(String.init)
    let result = try Program.vadmon(words + ["--show-config"])
    #expect(result.status == 0, "\(result.errors)")
    let bad = try Program.vadmon("x.wav", "-j0")
    #expect(bad.status == 64)
    expectMessage(bad.errors, "-j", "'0'", "1", "1024")
    for words in [["x.wav", "-vj2"], ["-vj2", "x.wav"]] {
      let joined = try Program.vadmon(words)
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
      (["--no-such-flag", "x.wav"], ["--no-such-flag"]),
      ([], ["recording", "'-'"]),
      (
        ["x.wav", "--format", "xml"],
        [
          "--format", "xml", "text", "json", "jsonl", "file-jsonl", "rttm", "audacity", "srt",
          "vtt", "textgrid", "eaf", "csv", "tsv", "clips", "ffconcat",
        ]
      ),
      (["a\nb.wav", "--format", "ffconcat"], ["ffconcat", #"a\nb.wav"#, "line break", "rename"]),
      (["-", "--format", "ffconcat"], ["ffconcat", "standard input", "file"]),
      (["x.wav", "--from", "90"], ["--from", "90", "90ms", "90s", "1:30"]),
      (["x.wav", "--to", "1:75"], ["--to", "1:75", "1:30"]),
      (["x.wav", "--from", "-1s"], ["--from", "-1s"]),
      (["x.wav", "--from", "1:30", "--to", "1m30s"], ["--from", "--to", "nothing"]),
      (["x.wav", "--to", "0"], ["--to", "the start", "nothing"]),
      (["x.wav", "--skip-existing"], ["--skip-existing", "--output-dir"]),
      (["x.wav", "--invert", "--split", "30s"], ["--split", "--invert", "choose one"]),
      (["x.wav", "--onset-threshold", "1.5"], ["--onset-threshold", "0 < offset <= onset < 1"]),
      (["x.wav", "--offset-threshold", "0.99"], ["--offset-threshold", "0.99"]),
      (["x.wav", "--onset-threshold", "nan"], ["--onset-threshold", "0 < offset <= onset < 1"]),
      (["x.wav", "--from", "90000h"], ["--from", "ten years", "87600h"]),
      (
        ["x.wav", "--preset", "notice", "--offset-threshold", "0.91"],
        ["preset notice", "0.9"]
      ),
      (["x.wav", "--preset", "loud"], ["--preset", "loud"]),
      (
        ["x.wav", "--preset", "noticed"],
        ["--preset", "noticed", "conversation", "notice", "transcription"]
      ),
      (
        ["x.wav", "--plot", "-"],
        ["--plot", "-", ".svg", ".png"]
      ),
      (["x.wav", "--trim", "-", "--format", "csv"], ["--trim -", "standard output", "--output"]),
      (["x.wav", "--trim", "-", "--output", "-"], ["--trim -", "standard output", "--output"]),
      (["x.wav", "--trim", "-", "--output", "/dev/stdout"], ["--trim -", "--output"]),
      (["x.wav", "--trim", "-", "--template", "{start}"], ["--trim -", "--output"]),
      (
        ["x.wav", "--invert", "--channel", "each", "--format", "clips"],
        ["--format clips", "any channel", "--channel any"]
      ),
      (["x.wav", "--exec", ""], ["--exec", "program"]),
      (["x.wav", "--exec", "{file} x"], ["--exec", "program", "placeholders"]),
      (["x.wav", "--exec", "sox 'a b"], ["--exec", "' is open", "close"]),
      (["x.wav", "--exec", "sox {fil}"], ["--exec", "{fil}", "{file}"]),
      (
        ["x.wav", "--frames", "-"],
        ["--frames", "folder"]
      ),
      (["x.wav", "--output-dir", "-"], ["--output-dir", "folder"]),
      (["x.wav", "--save-segments", "-"], ["--save-segments", "folder"]),
      (["x.wav", "--hangover", "2h"], ["--hangover", "2h"]),
      (["x.wav", "--hangover", "3601s"], ["--hangover", "3601s"]),
      (
        ["x.wav", "--pad", "fast"],
        ["--pad", "fast", "250ms", "0.25s", "2m", "1m30s"]
      ),
      (["x.wav", "--merge", "1"], ["--merge", "1", "1ms", "1s"]),
      (["x.wav", "--split", "30"], ["--split", "30", "30ms", "30s"]),
      (["x.wav", "--pad", "-1ms"], ["--pad", "-1ms"]),
      (["x.wav", "--hangover", "-1"], ["--hangover", "-1"]),
      (["x.wav", "--onset-threshold", "-0.5"], ["--onset-threshold", "-0.5"]),
      (["x.wav", "--jobs", "-1"], ["--jobs", "-1", "1", "1024"]),
      (
        ["-", "--rate", "-8000"],
        ["--rate", "-8000", "8000", "192000"]
      ),
      (
        ["x.wav", "--channel", "-1"],
        ["--channel", "mix", "each", "any"]
      ),
      (["x.wav", "--mute-timeline", "-3-5"], ["--mute-timeline", "-3-5"]),
      (
        ["x.wav", "--mute-timeline", "5-3"], ["--mute-timeline", "5-3", "0-3.5,10-"]
      ),
      (["x.wav", "--mute-timeline", ""], ["--mute-timeline", "START-END"]),
      (["x.wav", "--muted", "--mute-timeline", "0-"], ["--muted", "--mute-timeline"]),
      (
        ["x.wav", "--speaker-margin", "15"],
        ["--speaker-margin", "--mute-timeline"]
      ),
      (
        ["x.wav", "--muted", "--speaker-margin", "off"],
        ["--speaker-margin", "--mute-timeline"]
      ),
      (
        ["x.wav", "--mute-timeline", "0-", "--speaker-margin", "40.5"],
        ["--speaker-margin", "40.5", "0", "40"]
      ),
      (["x.wav", "--output", "a", "--output-dir", "b"], ["--output", "--output-dir"]),
      (
        ["x.wav", "--channel", "0"],
        ["--channel", "mix", "each", "any"]
      ),
      (["x.wav", "--channel", "left"], ["--channel", "left"]),
      (["x.wav", "--jobs", "0"], ["--jobs", "0"]),
      (["-", "--rate", "4000"], ["--rate", "4000"]),
      (["-", "--channels", "0"], ["--channels", "0", "1", "1024"]),
      (["-", "--sample-format", "s12"], ["--sample-format", "s12", "s8", "u8", "s16le"]),
      (["-", "--sample-format", "S24_LE"], ["--sample-format", "S24_LE", "S24_3LE", "S32_LE"]),
      (["a.wav", "http://host/b.wav"], ["http://host/b.wav"]),
      (["--files-from", "s3://bucket/list"], ["s3://bucket/list"]),
      (["x.wav", "--treshold", "0.5"], ["--onset-threshold", "--offset-threshold"]),
      (
        ["x.wav", "--devise", "hw:1"], ["--devise", "vadmon analyze --help"]
      ),
      (
        ["x.wav", "--device", "hw:1"],
        ["--device", "live"]
      ),
      (["x.wav", "--onset-threshold", "x"], ["--onset-threshold", "x", "0", "1"]),
      (["x.wav", "--output", ""], ["--output", "FILE"]),
      (["x.wav", "--output"], ["--output", "FILE"]),
      (["x.wav", "--force=1"], ["--force", "="]),
      (["", "x.wav"], ["INPUTS"]),
      (["--generate-completion-script", "tcsh"], ["bash", "zsh", "fish"]),
      (["-", "-"], ["standard input"]),
      (["-", "--null"], ["--null", "--files-from"]),
      (["-", "--files-from", "-"], ["standard input"]),
      (["a/x.wav", "a/x.wav", "--frames", "out"], ["out/x.csv"]),
      (
        ["b/x.wav", "b/x.flac", "b/x.wav.au", "--output-dir", "out", "--format", "srt"],
        ["b/x.wav", "b/x.wav.au", "out/x.wav.srt"]
      ),
      (["a/x.wav", "b/x.wav", "--format", "rttm"], ["a/x.wav", "b/x.wav", "x"]),
      (["a.wav", "b.wav", "--format", "vtt"], ["--output-dir", "DIR"]),
    ] as [([String], [String])])
  func wrongArgumentsAreRefused(row: (arguments: [String], names: [String])) throws {
    let result = try Program.analyze(row.arguments)
    #expect(result.status == 64)
    #expect(result.output.isEmpty)
    #expect(result.errors.hasPrefix("vadmon: "), "\(result.errors)")
    expectMessage(result.errors, names: row.names)
  }

  @Test func wordsMayHaveUpperCase() throws {
    let upper = [
      "--format", "JSON", "--preset", "Notice", "--channel", "ANY", "--sample-format", "S16LE",
      "--color", "Never", "--log-level", "ERROR", "--segment-format", "FLAC", "--save-segments",
      "X",
    ]
    let lower = upper.map { $0 == "X" ? $0 : $0.lowercased() }
    let run = { try Program.analyze(["--show-config"] + $0) }
    #expect(try run(upper).status == 0 && run(upper).output == run(lower).output)
  }

  @Test(arguments: [
    "--pad", "--merge", "--min-speech", "--split", "--fade", "--hangover", "--onset-debounce",
  ])
  func whatTheMessageAboutALengthSaysIsAccepted(option: String) throws {
    let run = {
      try Program.analyze("--show-config", "--save-segments", "d", option, $0)
    }
    let refused = try run("x")
    let remedy = try #require(refused.errors.firstMatch(of: #/write it as (.*) or (.*)\n/#))
    for length in remedy.output.1.split(separator: ", ") + [remedy.output.2] {
      let accepted = try run(String(length))
      let isTooShort = accepted.errors.contains("too short to have a pause")
      #expect(accepted.status == 0 || option == "--split" && isTooShort, "\(accepted.errors)")
    }
  }

  /// A group of letters is more likely the name of a file than a request for help.
  @Test(arguments: ["-dash.wav", "-vh", "-hv"]) func helpIsALetterOfItsOwn(word: String) throws {
    let result = try Program.analyze(word, "a.wav")
    #expect(result.status == 64 && result.output.isEmpty)
    expectMessage(
      result.errors, "analyze has no option \(word)",
      word.hasSuffix(".wav") ? "if it is a file, write ./\(word)" : "write short options apart")
    for help in ["-h", "--help", "-help"] {
      #expect(try Program.analyze(word, help).status == 0)
    }
  }

  @Test func shortOptionsAreTheLongOnes() throws {
    let folder = TemporaryFolder()
    let long = try Program.vadmon("--show-config", "--format", "json")
    let short = try Program.vadmon("--show-config", "-f", "json", "-o", folder / "c")
    #expect(short.status == 0 && short.output.isEmpty)
    #expect(try folder.text(of: "c") == long.output)
    let version = try Program.vadmon("--version")
    #expect(try Program.vadmon("-V").output == version.output)
  }

  @Test func theHelpOfTuneSaysNothingOfOtherCommandsOptions() throws {
    let help = try Program.vadmon("tune", "--help").output
    #expect(!help.contains("--save-segments") && help.contains("--pad <LENGTH>"))
  }

  /// A recording may have the name of a misspelled command, and needs no command before it.
  @Test func aFileNeedsNoCommand() throws {
    let folder = TemporaryFolder()
    let wav = TestAudio.wav(TestAudio.utterance())
    try folder.write(wav, to: "analize")
    for arguments in ["analize", "--format csv analize", "./analize", "- < analize", "."] {
      let bare = try Program.shell("\"$vadmon\" " + arguments, in: folder)
      let full = try Program.shell("\"$vadmon\" analyze " + arguments, in: folder)
      #expect(bare.status == 0 && bare.output == full.output, "\(arguments): \(bare.errors)")
      #expect(bare.output.contains("analize") || bare.output.contains("standard input"))
    }
    let missing = try Program.vadmon(folder / "other.wav")
    #expect(missing.status == 66)
    #expect(missing.errors.hasPrefix("vadmon: cannot open \(folder / "other.wav"): "))
  }

  @Test func noArgumentsShowTheHelp() throws {
    let result = try Program.vadmon()
    #expect(result.status == 0)
    #expect(result.output == (try Program.vadmon("--help")).output)
  }

  /// User input must not reach the terminal as a command.
  @Test func messagesShowNoControlCharacters() throws {
    let result = try Program.analyze("--format", "\u{1B}[31m", "x.wav")
    #expect(result.status == 64)
    #expect(!result.errors.contains("\u{1B}") && result.errors.contains("\\u{1B}[31m"))
  }

  /// A chroot has no /proc, from which Swift reads arguments.
  @Test(.enabled(if: canHideProc))
  func argumentsDoNotNeedProc() throws {
    let result = try Program.run([
      "/usr/bin/unshare", "-m", "/bin/sh", "-c",
      "mount -t tmpfs none /proc && exec \"$0\" analyze --show-config --pad 7ms", Program.path,
    ])
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.lines.contains { $0.hasPrefix("pad_ms ") && $0.contains(" 7 ") })
  }

  /// Root can do this, as can users with namespaces; others cannot run these tests. AddressSanitizer reads its options
  /// there.
  static let canHideProc =
    ProcessInfo.processInfo.environment["ASAN_OPTIONS"] == nil
    && (try? Program.run(["/usr/bin/unshare", "-m", "mount", "-t", "tmpfs", "none", "/proc"]))?
      .status == 0

  @Test(arguments: [
    ["--help"], ["analyze", "--help"], ["--version"], ["-V"], ["help", "analyze"],
    ["help", "help"],
  ])
  func helpAndVersionSucceedOnStandardOutput(arguments: [String]) throws {
    let result = try Program.vadmon(arguments)
    #expect(result.status == 0)
    #expect(!result.output.isEmpty && result.errors.isEmpty)
  }

  @Test func helpSaysWhatEachPresetIsFor() throws {
    let help = try Program.analyze("--help").output
    for purpose in ["calls and meetings", "a late notice is better", "extra sound is better"] {
      #expect(help.contains(purpose))
    }
  }

  /// Any channel may be selected, not only those that a shell completes.
  @Test func helpDoesNotCountChannels() throws {
    let help = try Program.analyze("--help").output
    let words = help.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains("or channel N, counted from 1. (default: mix)"))
  }

  /// Options common to all commands have the same description in each.
  @Test(arguments: ["analyze", "compare", "tune", "pause", "bench"])
  func everyCommandHasTheSameResultOptions(command: String) throws {
    let help = try Program.vadmon(command, "--help").output
    let words = help.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(
      words.contains(
        "-o, --output <FILE> Write the results to FILE, which is replaced once they are complete."))
    #expect(
      words.contains("-q, --quiet Show no progress bar and no warnings."))
  }
}
