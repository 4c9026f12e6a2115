import Foundation
import TestSupport
import Testing

@testable import vadmon

/// Output that appears on terminals only. Python's pty module creates the terminal.
@Suite struct TerminalTests {
  private let folder = TemporaryFolder()
  private let recording: String

  init() throws {
    recording = try folder.write(TestAudio.wav(TestAudio.utterance()), to: "a.wav")
  }

  private struct Seen: Decodable {
    var status: Int32
    var terminal: String
    var other: String
  }

  /// Runs vadmon with standard output or standard error on a terminal and the other on a pipe.
  private func run(
    _ arguments: String..., terminalOn stream: String, environment: [String: String] = [:]
  ) throws -> Seen {
    let script = """
      import json, os, pty, subprocess, sys
      stream, command = sys.argv[1], sys.argv[2:]
      master, slave = pty.openpty()
      other = "stderr" if stream == "stdout" else "stdout"
      process = subprocess.Popen(command, stdin=subprocess.DEVNULL,
                                 **{stream: slave, other: subprocess.PIPE})
      os.close(slave)
      seen = b""
      while True:
          try: data = os.read(master, 65536)
          except OSError: break
          if not data: break
          seen += data
      rest = process.communicate()[1 if other == "stderr" else 0]
      print(json.dumps({"status": process.returncode, "terminal": seen.decode(),
                        "other": rest.decode()}))
      """
    let result = try Program.run(
      ["/usr/bin/env", "python3", "-c", script, stream, Program.path, "analyze"] + arguments,
      environment: ["TERM": "xterm"].merging(environment) { $1 })
    return try JSONDecoder().decode(Seen.self, from: Data(result.output.utf8))
  }

  private let bar = "░"

  @Test func theProgressBarIsOnATerminalAndGoesAway() throws {
    let seen = try run(recording, terminalOn: "stderr")
    #expect(seen.status == 0)
    #expect(seen.terminal.contains(bar))
    #expect(seen.terminal.hasSuffix("\r\u{1B}[K"))
    #expect(seen.other == (try Program.analyze(recording).output), "results are untouched")
  }

  @Test func errorsAreOnALineOfTheirOwnBesideTheBar() throws {
    let seen = try run(recording, folder / "missing.wav", terminalOn: "stderr")
    #expect(seen.status == 66)
    #expect(seen.terminal.contains("\r\u{1B}[Kvadmon: cannot open"))
  }

  @Test func thereIsNoProgressBarElsewhere() throws {
    #expect(try Program.analyze(recording).errors.isEmpty)
    #expect(try run(recording, terminalOn: "stdout").other.isEmpty)
    #expect(try run(recording, "--quiet", terminalOn: "stderr").terminal.isEmpty)
    let dumb = try run(recording, terminalOn: "stderr", environment: ["TERM": "dumb"])
    #expect(dumb.terminal.isEmpty)
  }

  @Test(
    arguments: [
      // arguments, environment, coloured
      ([], [:], true),
      ([], ["NO_COLOR": "1"], false),
      ([], ["NO_COLOR": ""], true),
      ([], ["TERM": "dumb"], false),
      (["--color", "never"], [:], false),
      (["--color", "always"], ["NO_COLOR": "1", "TERM": "dumb"], true),
    ] as [([String], [String: String], Bool)])
  func colourOnATerminal(row: ([String], [String: String], Bool)) throws {
    let seen = try run(
      recording, row.0.first ?? "--color", row.0.last ?? "auto", terminalOn: "stdout",
      environment: row.1)
    #expect(seen.terminal.contains("\u{1B}[1m") == row.2)
  }

  @Test func colourElsewhereOnlyWhenAskedFor() throws {
    #expect(
      try !Program.analyze(recording, environment: ["TERM": "xterm"]).output.contains("\u{1B}"))
    #expect(try Program.analyze(recording, "--color", "always").output.contains("\u{1B}[1m"))
    #expect(
      try !Program.analyze(recording, "--color", "always", "--format", "json").output
        .contains("\u{1B}"))
  }

  /// A file may have any name, and a terminal executes what it is sent.
  @Test(arguments: FormatName.allCases.map(\.rawValue))
  func aNameIsNoCommand(format: String) throws {
    let name = try folder.write(
      TestAudio.wav(TestAudio.utterance()), to: "\u{1B}[31m\u{1B}]0;x\u{07}\u{9B}2J.wav")
    let seen = try run(name, "--format", format, "--color", "never", terminalOn: "stdout")
    #expect(seen.status == 0)
    for command in ["\u{1B}", "\u{07}", "\u{9B}"] { #expect(!seen.terminal.contains(command)) }
  }

  @Test func aProgramGetsTheNameAsItIs() throws {
    let name = try folder.write(TestAudio.wav(TestAudio.utterance()), to: "\u{1B}[31m.wav")
    #expect(try Program.analyze(name, "--format", "csv").output.contains(name))
  }
}
