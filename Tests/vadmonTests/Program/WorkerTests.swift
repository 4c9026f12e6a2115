import Foundation
import TestSupport
import Testing

/// `vadmon analyze --files-from - --format file-jsonl` as the worker of another program, which writes names and reads
/// one line for each.
@Suite struct WorkerTests {
  private let folder = TemporaryFolder()
  private let good: String

  init() throws {
    good = try folder.write(TestAudio.wav(TestAudio.voice(seconds: 0.5)), to: "good.wav")
  }

  private func worker(_ arguments: String..., output: Pipe? = nil) throws -> RunningProgram {
    try RunningProgram(
      command: ["analyze", "--files-from", "-", "--format", "file-jsonl"] + arguments,
      output: output)
  }

  /// Returns names of all kinds with their results: `file`, or the exit code of an `error`.
  private func names() throws -> [(name: String, outcome: String)] {
    let whole = TestAudio.wav(TestAudio.utterance())
    let torn = try folder.write(whole.prefix(whole.count - 16_000), to: "torn.wav")
    let low = TestAudio.wav(TestAudio.pcm16(TestAudio.silence(seconds: 1)), rate: 4000)
    try folder.link("loop", to: folder / "loop")
    return [
      (good, "file"), (torn, "file"), (folder / "missing.wav", "66"), (folder.path, "66"),
      ("/dev/shm", "66"), ("/proc", "66"),
      (try folder.write("notes", to: "notes.wav"), "65"), (try folder.write("", to: "0.wav"), "65"),
      (try folder.write(low, to: "low.wav"), "65"), (folder / "loop", "66"), ("", "66"),
      (try folder.pipe(), "66"), ("/dev/zero", "66"), ("-", "66"), ("a\0b", "66"),
      (String(repeating: "x", count: 300), "66"), (good, "file"),
    ]
  }

  /// Each name is written only after the line of the previous one has arrived. If either side buffered or read ahead,
  /// the test would time out.
  @Test(arguments: ["1", "3"])
  func everyNameGetsItsLineBeforeTheNextIsWritten(jobs: String) throws {
    let worker = try worker("--jobs", jobs)
    let names = try names()
    for (index, (name, outcome)) in names.enumerated() {
      try worker.write(name + "\n")
      try worker.waitUntil { try worker.records.count > index }
      let answers = try worker.records
      #expect(answers.count == index + 1)
      let code = (answers[index]["exit_code"] as? Int).map(String.init)
      #expect(answers[index]["file"] as? String == name)
      #expect(code ?? answers[index].type == outcome, "\(name)")
    }
    try worker.closeInput()
    #expect(worker.wait() == 66, "the first bad one decides")
    #expect(try worker.records.count == names.count)
  }

  /// All names at once, with any number of threads: the lines have the order and content of the names.
  @Test func linesHaveTheOrderOfTheNames() throws {
    let names = try names().map(\.name)
    let list = Data(names.map { $0 + "\n" }.joined().utf8)
    let arguments = ["analyze", "--files-from", "-", "--format", "file-jsonl", "--accept-bad"]
    let outputs = try ["1", "2", "7"].map { jobs in
      let result = try Program.vadmon(arguments + ["--jobs", jobs], input: list)
      #expect(result.status == 0)
      return result.output
    }
    #expect(try outputs[0].jsonLines.map { $0["file"] as? String } == names)
    #expect(outputs[1] == outputs[0] && outputs[2] == outputs[0])
  }

  @Test func anyNameComesWithNULBehindIt() throws {
    let strange = try folder.write(
      Data(contentsOf: URL(fileURLWithPath: good)), to: "two\nlines \r.wav")
    let result = try Program.shell(
      #"""
      cp good.wav "$(printf '\377.wav')" &&
      printf '%s\0' "$1" '' "$(printf '\377.wav')" |
      "$vadmon" analyze -0 --files-from - --format file-jsonl
      """#, strange, in: folder)
    #expect(result.status == 66)
    #expect(result.lines.count == 3)
    #expect(result.lines[0].contains(#"two\nlines \r.wav", "schema_version""#))
    #expect(result.lines[1].hasPrefix(#"{"type": "error", "file": "", "#))
    #expect(result.lines[2].hasPrefix("{\"type\": \"file\", \"file\": \"\u{FFFD}.wav\""))
    expectMessage(result.errors, "standard input", "name 2", "empty")
  }

  /// Files are checked before anything is analysed, which needs all names first.
  @Test func resultsInAFileAreTheSame() throws {
    let list = Data("\(good)\n\(folder / "missing")\n\n\(good)\n".utf8)
    let arguments = ["--files-from", "-", "--format", "file-jsonl"]
    let streamed = try Program.analyze(arguments, input: list)
    let written = try Program.analyze(arguments + ["--output", folder / "out"], input: list)
    #expect(streamed.status == 66 && written.status == 66)
    #expect(streamed.lines.count == 4)
    #expect(try folder.text(of: "out") == streamed.output)
  }

  @Test func namesThatCannotBeReadAreNoBadRecording() throws {
    let result = try Program.shell(
      #"exec "$vadmon" analyze --files-from - --format file-jsonl --accept-bad <&-"#)
    #expect(result.status == 74)
    #expect(result.output.isEmpty)
    #expect(result.errors.hasPrefix("vadmon: cannot read standard input: "))
  }

  @Test func noNameAtAllIsAnErrorOrAccepted() throws {
    let refused = try worker()
    try refused.closeInput()
    #expect(refused.wait() == 66)
    #expect(try refused.errors.contains("standard input names no file"))
    let accepted = try worker("--accept-bad")
    try accepted.closeInput()
    #expect(accepted.wait() == 0)
    #expect(try accepted.output.isEmpty && accepted.errors.isEmpty)
  }

  /// The program waits for a name all the time.
  @Test(arguments: [SIGTERM, SIGHUP, SIGINT])
  func aSignalEndsTheWaitForAName(signal: Int32) throws {
    let worker = try worker()
    try worker.write(good + "\n")
    try worker.waitUntil { try !worker.output.isEmpty }
    worker.send(signal)
    #expect(worker.wait() == -signal)
    #expect(try worker.records.count == 1)
  }

  @Test func aReaderThatHasGoneAwayEndsIt() throws {
    let pipe = Pipe()
    let worker = try worker(output: pipe)
    try pipe.fileHandleForWriting.close()
    try pipe.fileHandleForReading.close()
    try worker.write(good + "\n")
    #expect(worker.wait() == 141)
    #expect(try worker.errors.isEmpty)
  }
}
