import Foundation
import TestSupport
import Testing

/// The folder for temporary files (TMPDIR): what needs it says so, and everything else goes on without it.
@Suite(.timeLimit(.minutes(5))) struct TemporarySpaceTests {
  private let folder = TemporaryFolder()

  init() throws {
    try folder.write(TestAudio.wav(TestAudio.voice(seconds: 20)), to: "speech.wav")
    try folder.write("", to: "file")
    let made = try run("ffmpeg -v error -i speech.wav speech.opus")
    #expect(made.status == 0, "\(made.errors)")
  }

  /// Runs a line of shell in the folder; `$v` is vadmon.
  private func run(_ script: String) throws -> Program.Result {
    try Program.shell("v=$vadmon; \(script)", in: folder)
  }

  /// What needs temporary files.
  private static let needs = [
    // cat complains where its parent ignores SIGPIPE.
    "cat speech.opus 2> /dev/null | \"$v\" analyze -",
    "cat speech.opus 2> /dev/null | \"$v\" live - --json",
    "\"$v\" analyze speech.wav --report page.html --embed-audio",
    "\"$v\" analyze speech.wav --plot plot.png",
  ]

  @Test(.tags(.slow), arguments: needs, ["none", "file"]) func aMissingFolderIsNamed(
    run line: String, name: String
  )
    throws
  {
    let result = try run("export TMPDIR=\(name); \(line)")
    #expect(result.status == 74, "\(result.errors)")
    expectMessage(result.errors, "TMPDIR", "exists", "\(name)")
    #expect(try folder.names == ["file", "speech.opus", "speech.wav"])
  }

  /// A file system without room, which a limit on the size of files stands for.
  @Test(arguments: needs) func aFullFolderIsNamed(line: String) throws {
    let result = try run("trap '' XFSZ; ulimit -f 4; { \(line); echo $?; } | cat")
    #expect(result.output.hasSuffix("74\n") || result.output.hasSuffix("69\n"), "\(result.errors)")
    #expect(
      result.errors.contains("ulimit -f") || result.errors.contains("room"), "\(result.errors)")
    #expect(try folder.names == ["file", "speech.opus", "speech.wav"])
  }

  /// An empty variable means none, as in other programs; a relative one is below the working folder.
  @Test(.tags(.slow), arguments: needs, ["", "."]) func anyFolderThatExistsWillDo(
    line: String, name: String
  )
    throws
  {
    let before = try run("ls -A /").output
    let result = try run("export TMPDIR=\(name); \(line) --quiet")
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    #expect(
      try !folder.names.contains { $0.hasPrefix("vadmon-") } && run("ls -A /").output == before)
  }

  /// PCM of a pipe, files and results need none.
  @Test(arguments: [
    "cat speech.wav | \"$v\" analyze -", "\"$v\" analyze speech.opus --output results",
    "\"$v\" analyze speech.wav --report page.html",
  ])
  func whatNeedsNoneGoesOn(line: String) throws {
    let result = try run("export TMPDIR=none; \(line)")
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
  }
}
