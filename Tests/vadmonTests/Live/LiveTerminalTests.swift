import Foundation
import TestSupport
import Testing
import VirtualDeviceSupport

/// `vadmon live` on a real terminal: what the user sees, what the keys do, and that the terminal is restored.
@Suite struct LiveTerminalTests {
  private typealias Step = PseudoTerminal.Step

  private let folder = TemporaryFolder()
  /// Half a second of silence, then speech to the end of the minute.
  private let recording: String

  init() throws {
    let samples = TestAudio.silence(seconds: 0.5) + TestAudio.voice(seconds: 60)
    recording = try folder.write(TestAudio.wav(samples), to: "talk.wav")
  }

  private func live(
    _ arguments: String..., columns: Int = 80, rows: Int = 24, output: String = "terminal",
    environment: [String: String] = [:], steps: [PseudoTerminal.Step]
  ) throws -> PseudoTerminal {
    try PseudoTerminal.run(
      ["live", "--input", recording] + arguments, columns: columns, rows: rows, output: output,
      environment: environment, steps: steps)
  }

  @Test func theMeterShowsSpeechAndWhy() throws {
    let seen = try live(steps: [.see("speech: "), .look, .press("q")])
    #expect(seen.missed == nil)
    let look = try #require(seen.looks.first)
    #expect(look.lines.count == 11)
    #expect(look.lines[0].contains("16000 Hz, 1 channel"))
    #expect(look.lines[2].hasPrefix("level ") && look.lines[2].hasSuffix(" dBFS"))
    #expect(look.lines[3].contains(" -60 ") && look.lines[3].hasSuffix(" 0"))
    #expect(look.lines[5].hasPrefix("probability "))
    #expect(look.text.contains("≥ 0.82"))
    #expect(look.lines[10] == "m mute   space freeze   q quit")
    #expect(!look.showsCursor && !look.wrapsLines && look.hasKeys)
  }

  @Test(.tags(.slow)) func keysMuteFreezeAndQuit() throws {
    // Level records beside the meter show that listening continues.
    let seen = try live(
      "--json", "--levels", "20", "--full", output: "pipe",
      steps: [
        .see("speech: "), .press("m"), .see("MUTED"), .see("You are muted. Unmute to speak."),
        // The notice is shown for 2 s; the speech continues.
        .seeNo("You are muted. Unmute to speak."), .see("MUTED  still speaking"), .press("m"),
        .seeNo("MUTED"),
        .press(" "), .see("frozen"), .look, .receive(lines: 10), .look, .press(" "),
        .seeNo("frozen"),
        .press("\u{1B}[A"), .press("x"), .press("q"),
      ])
    #expect(seen.missed == nil)
    #expect(seen.status == 0)
    #expect(seen.looks[0].lines == seen.looks[1].lines, "what is frozen does not move")
    #expect(seen.end.text.contains("s of speech in 1 segment"), "a summary is left")
    #expect(!seen.end.text.contains("level"), "and nothing else")
    #expect(seen.isRestored && seen.end.showsCursor && seen.end.wrapsLines)
  }

  @Test(
    .tags(.slow),
    arguments: [
      ([.press("q")], 0), ([.press("\u{3}")], -SIGINT), ([.signal(SIGINT)], -SIGINT),
      ([.press("\u{1C}")], -SIGQUIT), ([.signal(SIGQUIT)], -SIGQUIT),
      ([.signal(SIGTERM)], -SIGTERM), ([.signal(SIGHUP)], -SIGHUP),
      ([.signal(SIGALRM)], -SIGALRM), ([.signal(SIGSEGV)], -SIGSEGV),
      ([.signal(SIGABRT)], -SIGABRT),
    ] as [([PseudoTerminal.Step], Int32)])
  func everyEndGivesTheTerminalBack(end: (steps: [PseudoTerminal.Step], status: Int32)) throws {
    let seen = try live(steps: [.see("level"), .look] + end.steps)
    #expect(seen.missed == nil)
    #expect(seen.looks.first?.hasKeys == true)
    #expect(seen.status == end.status)
    #expect(seen.isRestored)
    #expect(seen.end.showsCursor && seen.end.wrapsLines)
  }

  @Test func theDurationAndErrorsGiveTheTerminalBack() throws {
    let ended = try live("--duration", "300ms", steps: [])
    #expect(ended.status == 0 && ended.isRestored && ended.end.showsCursor)
    let refused = try live("--record", recording, steps: [])
    #expect(refused.status == 64 && refused.isRestored && refused.end.showsCursor)
    #expect(refused.end.text.contains("exists already"))
  }

  /// At the end of a recording programs have time to finish, until a signal asks vadmon to end.
  @Test(.tags(.slow), arguments: [SIGINT, SIGTERM])
  func oneSignalEndsTheWaitForAProgram(signal: Int32) throws {
    let file = try folder.write(TestAudio.wav(TestAudio.utterance()), to: "short.wav")
    let seen = try PseudoTerminal.run(
      [
        "live", "--input", file, "--on-event", "sleep", "--on-event-argument", "1000",
        "--on-event-timeout", "1h",
      ],
      steps: [.see("level"), .seeNo("level"), .signal(signal)])
    #expect(seen.missed == nil)
    #expect(seen.status == -signal)
    #expect(seen.end.text.contains("had not ended when vadmon did, and was ended"))
    #expect(seen.isRestored && seen.end.showsCursor)
  }

  @Test(arguments: [(40, 10), (80, 10), (39, 11)])
  func theWholeMeterFitsASmallScreen(columns: Int, rows: Int) throws {
    let seen = try live(
      columns: columns, rows: rows, steps: [.see("speech: "), .look, .press("q")])
    #expect(seen.missed == nil)
    let look = try #require(seen.looks.first)
    for text in ["level ", " -72 ", "┊", "probability ", "speech  ", "s of speech in", "q quit"]
    where columns >= 40 { #expect(look.text.contains(text), "\(text)") }
    #expect(look.lines.count == rows)
  }

  @Test(
    .tags(.slow),
    arguments: [
      (["LC_ALL": "C"], true), (["LC_ALL": "de_DE.ISO-8859-1", "LANG": "C.UTF-8"], true),
      (["LC_ALL": "", "LC_CTYPE": "POSIX", "LANG": "C.UTF-8"], true),
      (["LC_ALL": "", "LC_CTYPE": "", "LANG": ""], true), (["LC_ALL": "en_US.utf8"], false),
      (["LC_ALL": "", "LC_CTYPE": "de_DE.UTF-8@euro", "LANG": "C"], false),
    ])
  func onlyUTF8LocalesGetUnicode(environment: [String: String], isASCII: Bool) throws {
    let seen = try live(
      environment: environment, steps: [.see("speech: "), .press("m"), .see("MUTED"), .press("q")])
    #expect(seen.missed == nil)
    #expect(seen.sent.unicodeScalars.allSatisfy(\.isASCII) == isASCII)
  }

  /// The device is gone for good, or stands still without an error.
  @Test(.tags(.slow), arguments: ["gone 0", "stand 16000000"])
  func withoutSoundTheMeterIsDarkAndItsClockRuns(fault: String) throws {
    for form in ["--full", "--line"] {
      let device = try TestDevice("at 16000 \(fault)\n")
      let seen = try PseudoTerminal.run(
        ["live", "--device", device.name, "--rate", "16000", form],
        environment: try VirtualDriver.environment,
        // On a busy machine, a part of the second of sound may come after a pause that counts as no sound.
        steps: [
          .see(" dBFS"), .see("0:03"), .seeNo(" dBFS"), .look, .see("0:04"), .look, .press("q"),
        ])
      #expect(seen.missed == nil)
      for look in seen.looks {
        #expect(!look.text.contains("█") && !look.text.contains("≥") && !look.text.contains("<"))
      }
      if form == "--full" {
        #expect(seen.looks.last?.lines.contains { $0.hasSuffix(" no sound") } == true)
      }
    }
  }

  @Test func nothingIsLeftOfTheMeter() throws {
    let seen = try live("--duration", "300ms", steps: [])
    #expect(seen.end.lines.count == 1 && seen.end.text.contains("s of speech in"))
  }

  @Test func suspendingLeavesTheTerminalToTheShell() throws {
    let seen = try live(steps: [
      .see("level"), .press("\u{1A}"), .waitForStop, .look, .resume, .see("level"), .press("m"),
      .see("MUTED"), .look, .press("q"),
    ])
    #expect(seen.missed == nil)
    #expect(seen.status == 0)
    #expect(!seen.looks[0].hasKeys && seen.looks[0].showsCursor && seen.looks[0].wrapsLines)
    #expect(!seen.looks[0].text.contains("level"))
    #expect(seen.looks[1].hasKeys && !seen.looks[1].showsCursor)
    #expect(seen.isRestored)
  }

  /// In the background, the program must neither draw nor take keys. It ends on a signal.
  @Test func inTheBackgroundItDrawsNothing() throws {
    let seen = try live(
      "--json", "--levels", "20", "--full", output: "pipe",
      steps: [
        .see("level"), .press("\u{1A}"), .waitForStop, .signal(SIGCONT), .receive(lines: 10),
        // The input is for the shell: reading it would stop vadmon again, and the signal would not end it.
        .press("m\n"), .receive(lines: 10), .look, .signal(SIGTERM),
      ])
    #expect(seen.missed == nil)
    #expect(seen.status == -SIGTERM)
    #expect(!seen.looks[0].text.contains("level") && !seen.looks[0].hasKeys)
    #expect(seen.isRestored)
  }

  @Test(.tags(.slow), arguments: [200, 80, 40, 20])
  func theMeterFitsTheScreen(columns: Int) throws {
    let seen = try live(
      columns: columns, steps: [.see("speech: "), .look, .press("m"), .see("You are"), .press("q")])
    #expect(seen.missed == nil)
    #expect(try #require(seen.looks.first).lines.allSatisfy { $0.count < columns })
  }

  @Test func aWindowOfAnotherSizeGetsAnotherMeter() throws {
    let seen = try live(
      "--color", "never", columns: 100,
      steps: [
        // The name of the input takes 66 columns.
        .see("Signed 16 bit PCM"), .resize(columns: 50, rows: 24), .seeNo("Signed 16 bit PCM"),
        .see("…"), .look,
        .resize(columns: 90, rows: 24), .see("Signed 16 bit PCM"), .look,
        // Too low for the whole meter: first the most important lines remain, then a single line.
        .resize(columns: 90, rows: 6), .seeNo("peak"), .see("probability"), .look,
        .resize(columns: 90, rows: 2), .see("dBFS"), .look, .press("q"),
      ])
    #expect(seen.missed == nil)
    #expect(seen.looks[0].lines.allSatisfy { $0.count < 50 })
    #expect(seen.looks[1].lines.contains { $0.count > 80 })
    #expect(seen.looks[2].lines.count == 6)
    #expect(seen.looks[3].lines.count == 1)
    #expect(seen.status == 0)
  }

  @Test func oneLineStaysBelowTheEvents() throws {
    let seen = try live("--line", steps: [.see("onset"), .see("speech: "), .look, .press("q")])
    #expect(seen.missed == nil)
    let look = try #require(seen.looks.first)
    #expect(look.lines.first?.hasSuffix("  onset") == true)
    #expect(look.lines.last?.hasPrefix("speech: ") == true)
    #expect(seen.end.lines.contains { $0.hasSuffix("  offset") })
  }

  @Test func noColourWhereItIsNotWanted() throws {
    let plain = try live(steps: [.see("speech: "), .press("q")])
    #expect(plain.sent.contains("\u{1B}[32m"))
    let noColor = try live(
      environment: ["NO_COLOR": "1"], steps: [.see("speech: "), .press("q")])
    #expect(!noColor.sent.contains("m█") && !noColor.sent.contains("\u{1B}[0m"))
  }

  @Test(arguments: ["dumb", ""]) func aDumbTerminalGetsLines(terminal: String) throws {
    let seen = try live(
      environment: ["TERM": terminal], steps: [.see("  onset"), .look, .signal(SIGTERM)])
    #expect(seen.missed == nil)
    #expect(!seen.sent.contains("\u{1B}"))
    #expect(seen.looks.first?.hasKeys == false)
  }

  @Test func resultsInAFileLeaveTheTerminalToTheMeter() throws {
    let file = folder / "events"
    let seen = try live(output: file, steps: [.see("speech: "), .press("q")])
    #expect(seen.missed == nil)
    #expect(try folder.text(of: "events").contains("  onset\n"))
    #expect(try !folder.text(of: "events").contains("\u{1B}"))
  }

  /// The reader of the pipe may write to the same terminal.
  @Test func besideAPipeTheMeterIsThereOnlyWhenAskedFor() throws {
    let silent = try live("--duration", "300ms", output: "pipe", steps: [])
    #expect(!silent.sent.contains("level"))
    let asked = try live(
      "--json", "--full", output: "pipe", steps: [.see("speech: "), .press("q")])
    #expect(asked.missed == nil)
    #expect(asked.output.hasPrefix("{\"type\": \"config\""))
    #expect(asked.output.contains("\n{\"type\": \"onset\""))
    let quiet = try live("--json", "--quiet", "--duration", "300ms", output: "pipe", steps: [])
    #expect(quiet.sent.isEmpty)
  }
}
