import Foundation
import TestSupport
import Testing
import VirtualDeviceSupport

/// Vadmon is stopped or killed, or nobody takes what it writes.
@Suite(.timeLimit(.minutes(5))) struct PeerTests {
  private let folder = TemporaryFolder()

  // MARK: Stopped

  /// Every record but those that depend on the clock.
  private func decisions(_ output: String) -> [Substring] {
    output.lines(ofTypes: ["onset", "offset", "segment", "file"])
  }

  /// What comes through a pipe waits in it.
  @Test(arguments: ["live", "analyze"]) func aStoppedProgramLosesNothingOfAPipe(command: String)
    throws
  {
    let options = command == "live" ? ["--json"] : ["--format", "jsonl"]
    let sound = TestAudio.utterance()
    func outcome(stopping: Bool) throws -> String {
      let program = try RunningProgram(command: [command, "-", "--rate", "16000"] + options)
      try program.write(Array(sound[..<28_000]))
      try program.waitUntil { program.hasReadAllInput }
      if stopping {
        program.send(SIGSTOP)
        try program.waitUntilStopped()
      }
      // It fits into the pipe.
      try program.write(Array(sound[28_000...]))
      if stopping { program.send(SIGCONT) }
      try program.closeInput()
      #expect(program.wait() == 0)
      return try program.output
    }
    let stopped = decisions(try outcome(stopping: true))
    #expect(try stopped.count > 1 && stopped == decisions(outcome(stopping: false)))
  }

  /// The buffer of a device overruns for 10 s: the recording has silence for what is lost, and everything else in its
  /// place.
  @Test(.tags(.slow)) func whatADeviceLosesMeanwhileIsAGap() throws {
    let device = try TestDevice("sound ramp\n")
    let target = folder / "record.wav"
    let program = try RunningProgram(
      command: [
        "live", "--device", device.name, "--rate", "16000", "--buffer", "200ms", "--json",
        "--record",
        target,
      ], environment: try VirtualDriver.environment)
    func frames() -> Int { (FileManager.default.contents(atPath: target)?.count ?? 0) / 4 }
    try program.waitUntil { frames() > 8000 }
    program.send(SIGSTOP)
    try program.waitUntilStopped()
    sleep(10)
    let before = frames()
    program.send(SIGCONT)
    try program.waitUntil { frames() > before + 32_000 }
    program.interrupt()
    #expect(program.wait() == -SIGINT)
    let gaps = try program.output.matches(of: #/"type": "gap".*"length": ([0-9.]+)/#).compactMap {
      Double($0.output.1)
    }
    let recorded = try CutRecording.decode(target, as: "f32le").map(Float.init(bitPattern:))
    var lost = 0
    for (frame, sample) in recorded.enumerated() {
      let made = Float(Int16(truncatingIfNeeded: frame)) / 32_768
      if sample == made { continue }
      guard sample == 0 else {
        Issue.record("frame \(frame) is \(sample)")
        return
      }
      lost += 1
    }
    // Of the gap, a frame in 65,536 is silent on the ramp too.
    #expect(
      lost >= 16_000 && abs(gaps.reduce(0, +) * 16_000 - Double(lost)) <= Double(gaps.count) * 8 + 2
    )
  }

  // MARK: Killed

  /// Programs that were started do not outlive even a vadmon that is killed.
  @Test(arguments: ["analyze", "live"]) func aKilledProgramTakesItsProgramsAlong(command: String)
    throws
  {
    let script = try folder.script(
      "echo $$ > \(folder / "id.new"); mv \(folder / "id.new") \(folder / "id")\nexec sleep 1000")
    let options = [
      "analyze": ["-j1", "--exec", script],
      "live": ["--json", "--on-event", script, "--on-event-timeout", "300s"],
    ]
    let recording = TestAudio.samples + "/speech.flac"
    let program = try RunningProgram(
      command: [command] + (command == "live" ? ["--input"] : []) + [recording]
        + (options[command] ?? []))
    try program.waitUntil { try folder.names.contains("id") }
    program.send(SIGKILL)
    #expect(program.wait() == -SIGKILL)
    let id = try folder.text(of: "id").trimmingCharacters(in: .newlines)
    try blockUntil("the program that was started is over") { Program.isOver(id) }
  }

  // MARK: Not read

  /// Another process of the same terminal or pipe may have made it non-blocking.
  @Test(arguments: [["--format", "jsonl"], ["--trim", "-", "--output", "/dev/null"]])
  func aFullPipeThatDoesNotBlockIsWaitedFor(options: [String]) throws {
    let recording = TestAudio.samples + "/speech.flac"
    let expected = try Program.run(
      ["sh", "-c", "\"$0\" analyze \"$@\" | cat", Program.path, recording] + options)
    let pipe = Pipe()
    let filled = pipe.fill()
    let writing = pipe.fileHandleForWriting.fileDescriptor
    _ = fcntl(writing, F_SETFL, fcntl(writing, F_GETFL) | O_NONBLOCK)
    let program = try RunningProgram(command: ["analyze", recording] + options, output: pipe)
    try program.waitUntilAnalysing()
    try pipe.fileHandleForWriting.close()
    let all = try pipe.fileHandleForReading.readToEnd() ?? Data()
    let (status, errors) = (program.wait(), try program.errors)
    #expect(status == 0, "\(errors)")
    #expect(all.dropFirst(filled) == expected.bytes && !expected.bytes.isEmpty)
  }
}
