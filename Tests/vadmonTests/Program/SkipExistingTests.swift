import Foundation
import TestSupport
import Testing

/// `--skip-existing`: the same command completes a batch.
@Suite struct SkipExistingTests {
  private let folder = TemporaryFolder()

  init() throws {
    for name in ["a/x", "a/y", "b/x"] {
      try folder.write(TestAudio.wav(TestAudio.utterance()), to: "in/\(name).wav")
    }
  }

  private func run(_ options: String...) throws -> Program.Result { try run(options) }

  private func run(_ options: [String]) throws -> Program.Result {
    try Program.analyze(
      [folder / "in", "--output-dir", folder / "out", "--format", "csv", "--skip-existing"]
        + options)
  }

  /// Names depend on all inputs: two have the same base name.
  @Test func onlyWhatIsMissingIsAnalysed() throws {
    let first = try run()
    #expect(first.status == 0 && first.errors.isEmpty)
    let names = ["out/a/x.csv", "out/a/y.csv", "out/b/x.csv"]
    let results = try names.map { try folder.text(of: $0) }
    #expect(results.allSatisfy { $0.contains("segment") })
    try folder.write("mine", to: names[0])
    try FileManager.default.removeItem(atPath: folder / names[2])
    let second = try run()
    #expect(second.status == 0)
    #expect(second.errors == "vadmon: left out 2 of 3 inputs, which have results already\n")
    #expect(try folder.text(of: names[0]) == "mine")
    #expect(try folder.text(of: names[2]) == results[2])
    let third = try run("--quiet", "--force")
    #expect(third.status == 0 && third.errors.isEmpty && third.output.isEmpty)
    #expect(try folder.text(of: names[0]) == "mine")
  }

  /// What an interrupted run has of an input would pass for its result.
  @Test func anInterruptedInputGetsNoFile() throws {
    let command = ["analyze", folder / "in/a/x.wav", "-", "--format", "csv"]
    let folders = [
      "--output-dir", folder / "out", "--frames", folder / "frames", "--save-segments",
      folder / "parts",
    ]
    try folder.write("mine", to: "parts/stdin.txt")
    let program = try RunningProgram(command: command + folders + ["--skip-existing"])
    try program.write(TestAudio.utterance())
    try program.waitUntil { program.hasReadAllInput && folder.has("out/x.csv") }
    try program.waitUntil { folder.has("parts/stdin-0001.wav") }
    program.interrupt()
    #expect(program.wait() == -SIGINT)
    #expect(try program.errors.contains("standard input: interrupted at"))
    #expect(try folder.names(in: "out") == ["x.csv"])
    #expect(try folder.names(in: "frames") == ["x.csv"])
    #expect(try folder.names(in: "parts") == ["stdin.txt", "x-0001.wav"])
    let rest = try Program.vadmon(
      command + folders + ["--skip-existing"], input: TestAudio.pcm16(TestAudio.utterance()))
    #expect(rest.status == 0, "\(rest.errors)")
    #expect(try folder.text(of: "out/stdin.csv").contains("segment"))
    #expect(try folder.names(in: "parts") == ["stdin-0001.wav", "stdin.txt", "x-0001.wav"])
    #expect(try folder.text(of: "parts/stdin.txt") == "mine")
  }

  /// Two runs of one batch side by side: each result is written once, and neither run fails.
  @Test func aResultOfAnotherRunIsKept() throws {
    let program = try RunningProgram(
      "--format", "csv", "--output-dir", folder / "out", "--skip-existing")
    try program.write(TestAudio.utterance())
    try program.waitUntil { program.hasReadAllInput }
    try folder.write("theirs", to: "out/stdin.csv")
    try program.closeInput()
    #expect(program.wait() == 0)
    #expect(try program.errors.contains("left out standard input, which has a result by now"))
    #expect(try folder.text(of: "out/stdin.csv") == "theirs")
  }

  /// The program sees no result of its own input, and what fails is done again.
  @Test func aResultAppearsAfterItsPrograms() throws {
    let check = #"""
      name=$(basename "$(dirname "$1")")/$2
      [ -e "\#(folder / "out")/$name.csv" ] && exit 9
      echo "$name" >> \#(folder / "log")
      [ "$name" != a/y ] || [ -e \#(folder / "go") ]
      """#
    let exec = "\(try folder.script(check)) {file} {stem}"
    let options = ["--exec", exec, "--save-segments", folder / "parts", "--frames", folder / "fr"]
    let first = try run(options)
    #expect(first.status == 70)
    #expect(first.errors.contains("/in/a/y.wav: the program of --exec failed"), "\(first.errors)")
    let places = ["out", "fr", "parts"]
    for place in places { #expect(try files(place).sorted() == names("a/x", "b/x", in: place)) }
    try folder.write("", to: "go")
    let second = try run(options)
    #expect(second.status == 0, "\(second.errors)")
    for place in places {
      #expect(try files(place).sorted() == names("a/x", "a/y", "b/x", in: place))
    }
    let log = try folder.text(of: "log").split(separator: "\n").sorted()
    #expect(log == ["a/x", "a/y", "a/y", "b/x"])
  }

  /// The program of the first input hangs, once. A second signal ends vadmon at once, and leaves as little.
  @Test(arguments: [false, true])
  func anInputWhoseProgramsAreInterruptedLeavesNothing(isEndedAtOnce: Bool) throws {
    let hang = #"""
      [ -e \#(folder / "go") ] && exit 0
      trap "" TERM
      touch \#(folder / "go")
      exec sleep 1000
      """#
    let command =
      [
        "analyze", folder / "in", "--output-dir", folder / "out", "--format", "csv",
        "--skip-existing", "--save-segments", folder / "parts", "-j1", "--exec",
      ] + [try folder.script(hang)]
    let program = try RunningProgram(command: command)
    try program.waitUntil { folder.has("go") }
    program.interrupt()
    if isEndedAtOnce {
      #expect(throws: RunningProgram.Ended.self) {
        try program.waitUntil {
          program.interrupt()
          return false
        }
      }
    }
    #expect(program.wait() == -SIGINT)
    for place in ["out", "parts"] { #expect(try files(place).isEmpty) }
    let rest = try Program.vadmon(command)
    #expect(rest.status == 0, "\(rest.errors)")
    #expect(try files("out").count == 3 && files("parts").count == 3)
  }

  /// Returns the names of the files in a folder and those below it, without endings.
  private func files(_ place: String) throws -> [String] {
    let paths = FileManager.default.enumerator(atPath: folder / place)?.compactMap { $0 as? String }
    return (paths ?? []).filter { $0.contains(".") }.map { String($0.dropLast(4)) }
  }

  /// Returns the names that the files of inputs have there.
  private func names(_ inputs: String..., in place: String) -> [String] {
    inputs.map { $0 + (place == "parts" ? "-0001" : "") }
  }

  @Test func whetherThereIsSpeechIsNotAsked() throws {
    let result = try run("--exit-code")
    #expect(result.status == 64 && !folder.has("out"))
    expectMessage(result.errors, "--exit-code", "--skip-existing", "choose one")
  }

  /// A failure is tried again, and has the same exit code.
  @Test func aFailedInputIsTriedAgain() throws {
    try folder.write("no audio", to: "in/bad.wav")
    for _ in 0..<2 {
      let result = try run()
      #expect(result.status == 65 && result.errors.contains("bad.wav"), "\(result.errors)")
    }
    try folder.write(TestAudio.wav(TestAudio.utterance()), to: "in/bad.wav")
    #expect(try run().status == 0 && folder.has("out/bad.csv"))
  }
}
