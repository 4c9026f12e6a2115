import Foundation
import TestSupport
import Testing

/// A file whose name vadmon derives never replaces an existing one without `--force`.
@Suite struct ReplacementTests {
  private let folder = TemporaryFolder()
  private let speech: String

  init() throws {
    speech = try folder.write(TestAudio.wav(TestAudio.utterance()), to: "in/speech.wav")
  }

  @Test func labelsBesideARecordingStay() throws {
    try folder.write("by hand", to: "in/speech.txt")
    let arguments = [folder / "in", "--format", "audacity", "--output-dir", folder / "in"]
    let refused = try Program.analyze(arguments)
    #expect(refused.status == 64)
    #expect(refused.output.isEmpty)
    #expect(
      refused.errors.contains(
        "\(folder / "in/speech.txt") exists already: write elsewhere, or add --force to replace it")
    )
    #expect(try folder.text(of: "in/speech.txt") == "by hand")
    let forced = try Program.analyze(arguments + ["--force"])
    #expect(forced.status == 0, "\(forced.errors)")
    #expect(try folder.text(of: "in/speech.txt").hasSuffix("\tspeech\n"))
  }

  /// A run that can open no input has no results, and one that was mistyped must not cost those of the run before.
  @Test(arguments: ["text", "json", "csv"])
  func resultsOutliveARunWithoutInput(format: String) throws {
    try folder.write("earlier", to: "results")
    let output = ["--format", format, "--output", folder / "results"]
    let missing = try Program.analyze([folder / "nowhere.wav"] + output)
    #expect(missing.status == 66)
    #expect(try folder.text(of: "results") == "earlier")
    let empty = try Program.analyze(["-"] + output)
    #expect(empty.status == 65)
    #expect(try folder.text(of: "results") == "earlier")
    // One that can be opened is a result, whatever becomes of the others.
    let mixed = try Program.analyze([folder / "nowhere.wav", speech] + output)
    #expect(mixed.status == 66)
    #expect(try folder.text(of: "results") != "earlier")
  }

  @Test(arguments: ["--output-dir", "--frames"])
  func aFileIsNoFolder(option: String) throws {
    try folder.write("mine", to: "taken")
    let result = try Program.analyze(speech, "--format", "json", option, folder / "taken")
    #expect(result.status == 74)
    #expect(result.output.isEmpty)
    #expect(result.errors.contains("cannot make the folder \(folder / "taken")"))
    #expect(try folder.text(of: "taken") == "mine")
  }

  /// The second input's file is in the way, so the first input's file is not created either.
  @Test func allThatIsInTheWayIsFoundBeforeAnythingIsAnalysed() throws {
    let names = try ["a", "b", "c", "d"].map { name in
      try folder.write(TestAudio.wav(TestAudio.voice(seconds: 0.2)), to: "in/\(name).wav")
    }
    for name in ["b", "d"] { try folder.write("mine", to: "out/\(name).json") }
    try folder.write("mine", to: "frames/c.csv")
    let result = try Program.analyze(
      names + ["--format", "json", "--output-dir", folder / "out", "--frames", folder / "frames"])
    #expect(result.status == 64)
    #expect(
      result.errors.contains(
        "\(folder / "out/b.json") exists already, and so do 2 more files with names of results: "))
    #expect(try Set(folder.names) == ["in", "out", "frames"])
    #expect(try folder.names(in: "out").count == 2)
    #expect(try folder.names(in: "frames") == ["c.csv"])
  }

  @Test func aTableOfAnyChannelIsInTheWay() throws {
    try folder.write("mine", to: "frames/speech.ch2.csv")
    let result = try Program.analyze(
      speech, "--channel", "each", "--frames", folder / "frames")
    #expect(result.status == 64)
    #expect(result.errors.contains("speech.ch2.csv exists already"))
  }

  /// A link whose target does not exist counts as an existing name; devices lose nothing.
  @Test func linksAreJudgedByWhereTheyLead() throws {
    try folder.link("out/speech.txt", to: folder / "nowhere")
    let lost = try Program.analyze(speech, "--output-dir", folder / "out")
    #expect(lost.status == 64)
    try FileManager.default.removeItem(atPath: folder / "out/speech.txt")
    try folder.link("out/speech.txt", to: "/dev/null")
    #expect(try Program.analyze(speech, "--output-dir", folder / "out").status == 0)
  }

  /// Two inputs, the first of which waits until the file exists.
  @Test(arguments: ["--output-dir", "--frames"])
  func aFileThatAppearsMeanwhileStays(flag: String) throws {
    let program = try RunningProgram(
      command: [
        "analyze", "-", speech, "--format", "csv", flag, folder / "out", "--sample-format", "s16le",
      ])
    try program.write(TestAudio.utterance())
    try program.waitUntil { program.hasReadAllInput }
    try folder.write("mine", to: "out/stdin.csv")
    try program.closeInput()
    #expect(program.wait() == 74)
    #expect(try program.errors.contains("out/stdin.csv: a file of that name has appeared"))
    #expect(try folder.text(of: "out/stdin.csv") == "mine")
    let names = try folder.names(in: "out")
    #expect(names == ["speech.csv", "stdin.csv"], "the other input is done; nothing else is left")
  }

  @Test func equalNamesKeepTheirFolders() throws {
    for name in ["x/a/talk.wav", "x/b/deep/talk.wav", "x/other.wav"] {
      try folder.write(TestAudio.wav(TestAudio.voice(seconds: 0.5)), to: name)
    }
    let result = try Program.analyze(
      folder / "x", "--format", "csv", "--frames", folder / "frames", "--output-dir",
      folder / "out")
    #expect(result.status == 0, "\(result.errors)")
    for out in ["frames", "out"] {
      for name in ["a/talk.csv", "b/deep/talk.csv", "other.csv"] {
        #expect(try !folder.text(of: "\(out)/\(name)").isEmpty)
      }
    }
    let again = try Program.shell(
      #"cd x/a && "$vadmon" analyze talk.wav ../b/deep/talk.wav --output-dir ../../again"#,
      in: folder)
    #expect(again.status == 0, "\(again.errors)")
    #expect(try !folder.text(of: "again/a/talk.txt").isEmpty)
    #expect(try !folder.text(of: "again/b/deep/talk.txt").isEmpty)
  }

  @Test func namesThatDifferKeepNoFolders() throws {
    let other = try folder.write(TestAudio.wav(TestAudio.voice(seconds: 0.5)), to: "in/deep/x.wav")
    let result = try Program.analyze(speech, other, "--output-dir", folder / "out")
    #expect(result.status == 0)
    let names = try folder.names(in: "out")
    #expect(names == ["speech.txt", "x.txt"])
  }

  @Test func comparisonsFindMirroredTables() throws {
    for (name, labels) in [("a", "1.0\t2.5\tspeech\n"), ("b", "")] {
      try folder.write(TestAudio.wav(TestAudio.utterance()), to: "set/\(name)/talk.wav")
      try folder.write(labels, to: "set/\(name)/talk.txt")
    }
    _ = try Program.analyze(folder / "set", "--frames", folder / "frames", "--quiet")
    let result = try Program.vadmon("compare", folder / "set", folder / "frames")
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.contains("a/talk") && result.output.contains("b/talk"))
  }
}
