import Foundation
import TestSupport
import Testing

/// `--skip-existing`: the same command completes a batch.
@Suite struct SkipExistingTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for name in ["a/x", "a/y", "b/x"] {
      try folder.write(TestAudio.wav(TestAudio.utterance()), to: "in/\(name).wav")
    }
  }

  private func run(_ options: String...) throws -> Program.Result {
    try Program.run(
      [
        Program.path, "analyze", folder / "in", "--output-dir", folder / "out", "--format", "csv",
        "--skip-existing",
      ] + options)
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
    let folders = ["--output-dir", folder / "out", "--frames", folder / "frames"]
    let program = try RunningProgram(command: command + folders + ["--skip-existing"])
    try program.write(TestAudio.utterance())
    try program.waitUntil { program.hasReadAllInput && exists("out/x.csv") }
    program.interrupt()
    #expect(program.wait() == -SIGINT)
    #expect(try program.errors.contains("standard input: interrupted at"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder / "out") == ["x.csv"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder / "frames") == ["x.csv"])
    let rest = try Program.run(
      [Program.path] + command + folders + ["--skip-existing"],
      input: TestAudio.pcm16(TestAudio.utterance()))
    #expect(rest.status == 0, "\(rest.errors)")
    #expect(try folder.text(of: "out/stdin.csv").contains("segment"))
  }

  private func exists(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: folder / name)
  }

  /// A failure is tried again, and has the same exit code.
  @Test func aFailedInputIsTriedAgain() throws {
    try folder.write("no audio", to: "in/bad.wav")
    for _ in 0..<2 {
      let result = try run()
      #expect(result.status == 65 && result.errors.contains("bad.wav"), "\(result.errors)")
    }
    try folder.write(TestAudio.wav(TestAudio.utterance()), to: "in/bad.wav")
    #expect(try run().status == 0 && exists("out/bad.csv"))
  }
}
