import Foundation
import TestSupport
import Testing

/// Signals during an analysis, and pipes that deliver results while the input still flows.
@Suite struct InterruptionTests {
  @Test(arguments: [SIGHUP, SIGINT, SIGTERM])
  func theFirstSignalPrintsWhatWasFound(signal: Int32) throws {
    let program = try RunningProgram("--format", "jsonl")
    try program.write(TestAudio.utterance())
    try program.waitUntil { try program.output.contains("\"segment\"") }
    program.send(signal)
    #expect(program.wait() == -signal)
    let last = try #require(program.output.split(separator: "\n").last)
    #expect(last.contains("\"type\": \"file\""))
    // Data still in the pipe may or may not have been analysed; all places report the same.
    let found = try #require(last.firstMatch(of: #/"duration": ([0-9.]+)/#))
    let duration = try #require(Double(found.1))
    #expect(duration > 2 && duration <= 3.5)
    #expect(last.contains("interrupted at \(found.1) s"))
    #expect(
      try program.errors.contains("vadmon: warning: standard input: interrupted at \(found.1) s"))
  }

  /// The first recording has ended, but not what it is in.
  @Test func aRowOfRecordingsIsInterrupted() throws {
    let program = try RunningProgram("--format", "json")
    for _ in 0..<2 { try program.write(TestAudio.wav(TestAudio.utterance())) }
    try program.waitUntil { program.hasReadAllInput }
    program.interrupt()
    #expect(program.wait() == -SIGINT)
    #expect(try program.errors.contains("standard input: interrupted at "))
  }

  @Test func filesAreCompleteAfterAnInterruption() throws {
    let folder = TemporaryFolder()
    let program = try RunningProgram(
      "--format", "json", "--output", folder / "out.json", "--frames", folder / "frames")
    try program.write(TestAudio.utterance())
    try program.waitUntil { program.hasReadAllInput }
    program.interrupt()
    #expect(program.wait() == -SIGINT)
    let file = try #require(folder.data(of: "out.json").jsonObject.objects("files").first)
    #expect((file["warnings"] as? [String])?.first?.hasPrefix("interrupted at ") == true)
    // Data still in the pipe may or may not have been analysed; the two files agree.
    let duration = try #require(file["duration"] as? Double)
    let rows = try folder.text(of: "frames/stdin.csv").split(separator: "\n").count - 1
    #expect(rows == Int((duration * 1000).rounded()) / 10)
    #expect(try folder.names == ["frames", "out.json"])
  }

  /// Nobody opens the pipe for writing, so that not even opening it ends.
  @Test(arguments: [SIGINT, SIGTERM]) func oneSignalEndsTheWaitForAPipe(signal: Int32) throws {
    let folder = TemporaryFolder()
    try folder.pipe()
    try folder.write("old", to: "out.csv")
    let program = try RunningProgram(
      command: ["analyze", folder / "pipe", "--format", "csv", "--output", folder / "out.csv"])
    try program.waitUntilAnalysing()
    program.send(signal)
    #expect(program.wait() == -signal)
    #expect(
      try program.errors
        == "vadmon: warning: interrupted: \(folder / "pipe") was not analysed\n")
    #expect(try folder.text(of: "out.csv") == "old")
    #expect(try folder.names == ["out.csv", "pipe"])
  }

  /// An ffmpeg that hangs, with and without its standard output, and what it has started.
  @Test(arguments: [SIGINT, SIGTERM], ["", "exec >&-"])
  func oneSignalEndsAnFFmpegThatHangs(signal: Int32, start: String) throws {
    let folder = TemporaryFolder()
    try folder.write(Data([0, 0, 0, 24] + Array("ftypM4A ".utf8)), to: "a.m4a")
    try folder.script(
      "\(start)\nsleep 1000 & echo $! > \"$0.new\"; mv \"$0.new\" \"$0.id\"; wait", to: "bin/ffmpeg"
    )
    let program = try RunningProgram(
      command: ["analyze", folder / "a.m4a"], environment: folder.programsFirst)
    try program.waitUntil { folder.has("bin/ffmpeg.id") }
    program.send(signal)
    #expect(program.wait() == -signal)
    let id = try folder.text(of: "bin/ffmpeg.id").trimmingCharacters(in: .newlines)
    try blockUntil("ffmpeg is over") { Program.isOver(id) }
  }

  /// What completes a page or a picture gets some seconds, and no more.
  @Test(arguments: [
    ("ffmpeg", ["--embed-audio", "--report"], "page.html"), ("rsvg-convert", ["--plot"], "a.png"),
  ])
  func oneSignalEndsAnEncoderThatHangs(name: String, options: [String], result: String) throws {
    let folder = TemporaryFolder()
    let speech = try folder.write(TestAudio.wav(TestAudio.utterance()), to: "speech.wav")
    try folder.script("echo > \"$0.began\"\nexec sleep 1000", to: "bin/\(name)")
    let program = try RunningProgram(
      command: ["analyze", speech] + options + [folder / result],
      environment: folder.programsFirst)
    try program.waitUntil { folder.has("bin/\(name).began") }
    program.interrupt()
    #expect(program.wait() == -SIGINT)
  }

  /// Standard output is a full pipe without a reader, so that the first signal cannot complete.
  @Test func theSecondSignalEndsAtOnce() throws {
    let pipe = Pipe.full
    let program = try RunningProgram("--format", "jsonl", output: pipe)
    try program.waitUntilAnalysing()
    program.interrupt()
    let message =
      "vadmon: warning: interrupted: the results wait for the reader of standard output; Ctrl-C drops them\n"
    try program.waitUntil { try program.errors.contains(message) }
    // One that follows the first at once belongs to it.
    #expect(throws: RunningProgram.Ended.self) {
      try program.waitUntil {
        program.interrupt()
        return false
      }
    }
    #expect(program.wait() == -SIGINT)
  }

  /// timeout(1) sends its signal to its child and then to the group, so that the child has it twice.
  @Test func aSignalThatIsSentTwiceIsOne() throws {
    let folder = TemporaryFolder()
    let program = try RunningProgram("--format", "json", "--output", folder / "out.json")
    try program.write(TestAudio.utterance())
    try program.waitUntil { program.hasReadAllInput }
    for _ in 0..<2 { program.send(SIGTERM) }
    #expect(program.wait() == -SIGTERM)
    #expect(try folder.names == ["out.json"])
  }

  /// Only if the program dies of SIGINT does a shell know that the user wants no more.
  @Test func aLoopOfAShellEnds() throws {
    let folder = TemporaryFolder()
    try folder.pipe()
    let script = """
      for round in 1 2; do
        env --default-signal=INT "$vadmon" analyze "$1/pipe" --output "$1/out.txt"; echo >> "$1/rounds"
      done
      """
    let result = try Program.python(
      Self.pressingControlC, script, folder.path, environment: ["vadmon": Program.path])
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output == "-2\n")
    #expect(!(try folder.names.contains("rounds")))
  }

  /// Runs a script of bash, and sends its process group a SIGINT once vadmon is a process that handles it.
  private static let pressingControlC = """
    import os, pathlib, signal, subprocess, sys, time
    # Whoever runs the tests may have blocked or ignored it.
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    shell = subprocess.Popen(["bash", "-c", *sys.argv[1:2], "bash", *sys.argv[2:]], start_new_session=True,
                             preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    def is_ready():
        for entry in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                status = (entry / "status").read_text()
                mask = int(status.split("SigBlk:")[1].split()[0], 16)
                if os.getpgid(int(entry.name)) == shell.pid and status.startswith("Name:\\tvadmon") and mask & 2:
                    return "Threads:\\t3" in status or "Threads:\\t4" in status
            except (OSError, IndexError): pass
    for _ in range(3000):
        if is_ready(): break
        time.sleep(0.01)
    os.killpg(shell.pid, signal.SIGINT)
    try: print(shell.wait(30))
    finally:
        if shell.returncode is None: os.killpg(shell.pid, signal.SIGKILL)
    """

  @Test func inputsThatWereNotStartedAreCounted() throws {
    let recording = TestAudio.samples + "/speech.flac"
    let program = try RunningProgram("--format", "jsonl", "--jobs", "1", recording, recording)
    try program.write(TestAudio.utterance())
    try program.waitUntil { try program.output.contains("\"segment\"") }
    program.interrupt()
    #expect(program.wait() == -SIGINT)
    let message = "\(recording) was not analysed: vadmon was interrupted"
    let records = try program.output.split(separator: "\n").suffix(3)
    #expect(records.first?.contains(#""type": "file", "file": "-""#) == true)
    #expect(records.dropFirst().count { $0.contains(message) && $0.contains("130") } == 2)
    #expect(
      try program.errors.contains(
        "interrupted: 2 inputs were not analysed, the first of them \(recording)\n"))
  }

  /// A document has every input in order: the one that was being read, the one that was waited for, and the others.
  @Test(arguments: ["json", "file-jsonl"]) func everyInputIsListed(format: String) throws {
    let folder = TemporaryFolder()
    for name in ["silent", "pipe"] { try folder.pipe(name) }
    let inputs = ["-", folder / "silent", folder / "pipe", TestAudio.samples + "/speech.flac"]
    let program = try RunningProgram(
      command: ["analyze", "--jobs", "2", "--format", format] + inputs)
    try program.write(TestAudio.utterance())
    try program.waitUntil { program.hasReadAllInput }
    program.interrupt()
    #expect(program.wait() == -SIGINT)
    let text = try program.output
    let objects = try format == "json" ? text.jsonObject.objects("files") : text.jsonLines
    #expect(objects.map { $0["file"] as? String } == inputs)
    #expect((objects[0]["warnings"] as? [String])?.first?.hasPrefix("interrupted at ") == true)
    for object in objects.dropFirst() {
      let error = try format == "json" ? object.object("error") : object
      #expect(error["exit_code"] as? Int == 130)
    }
  }

  @Test func namesThatWereNotReadAreMentioned() throws {
    let program = try RunningProgram(
      command: ["analyze", "--files-from", "-", "--format", "file-jsonl"])
    try program.write(TestAudio.samples + "/speech.flac\n")
    try program.waitUntil { try program.output.contains("speech.flac") }
    program.interrupt()
    #expect(program.wait() == -SIGINT)
    expectMessage(try program.errors, "warning", "interrupted", "names on standard input")
  }

  /// Opening the pipe waits for a reader that never comes.
  @Test(arguments: [SIGINT, SIGTERM], ["--output", "--frames"])
  func oneSignalEndsTheWaitForAReader(signal: Int32, flag: String) throws {
    let folder = TemporaryFolder()
    let target = try folder.pipe(flag == "--output" ? "pipe" : "stdin.csv")
    let program = try RunningProgram(
      command: [
        "analyze", "-", "--sample-format", "s16le", flag, flag == "--output" ? target : folder.path,
      ])
    try program.write(TestAudio.silence(seconds: 0.5))
    try program.waitUntilOpening()
    program.send(signal)
    #expect(program.wait() == -signal)
    expectMessage(try program.errors, target, "pipe", "reader")
  }

  /// Before the analysis begins, there is nothing to print.
  @Test func whileInputsAreListedTheFirstEndsAtOnce() throws {
    let folder = TemporaryFolder()
    let program = try RunningProgram(command: ["analyze", "--files-from", folder.pipe("list")])
    try program.waitUntilInterruptible()
    program.interrupt()
    #expect(program.wait() == -SIGINT)
    expectMessage(try program.errors, "interrupted", "not complete")
  }

  /// A reader that comes in time gets everything, also what an interruption leaves.
  @Test func aReaderOfAPipeGetsWhatWasFound() throws {
    let folder = TemporaryFolder()
    try folder.pipe()
    let program = try RunningProgram(
      "--format", "jsonl", "--rate", "16000", "--output", folder / "pipe")
    try program.write(TestAudio.utterance())
    try program.waitUntilOpening()
    let reader = open(folder / "pipe", O_RDONLY | O_NONBLOCK)
    _ = fcntl(reader, F_SETFL, fcntl(reader, F_GETFL) & ~O_NONBLOCK)
    // Before, the reader would find the end of a pipe that nobody writes.
    try program.waitUntil { program.hasOpen(folder / "pipe") && program.hasReadAllInput }
    program.interrupt()
    let data = try FileHandle(fileDescriptor: reader, closeOnDealloc: true).readToEnd()
    let text = String(decoding: data ?? Data(), as: UTF8.self)
    #expect(program.wait() == -SIGINT)
    #expect(text.split(separator: "\n").last?.contains("\"type\": \"file\"") == true)
  }

  @Test func resultsOfAPipeComeWhileItFlows() throws {
    let program = try RunningProgram("--format", "jsonl")
    for count in 1...3 {
      try program.write(TestAudio.utterance())
      try program.waitUntil {
        try program.output.split(separator: "\n").filter { $0.contains("\"segment\"") }.count
          >= count
      }
    }
    try program.closeInput()
    #expect(program.wait() == 0)
  }
}
