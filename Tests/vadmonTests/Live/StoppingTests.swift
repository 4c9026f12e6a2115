import Foundation
import TestSupport
import Testing
import VirtualDeviceSupport

/// `vadmon live` ends on the first request, whatever hangs around it.
@Suite struct StoppingTests {
  private let folder = TemporaryFolder()
  private let recording: String

  init() throws {
    let samples = TestAudio.utterance() + TestAudio.silence(seconds: 600)
    recording = try folder.write(TestAudio.wav(samples), to: "long.wav")
  }

  @Test(arguments: [nil, SIGINT, SIGTERM] as [Int32?])
  func unreadOutputDoesNotPreventTheEnd(signal: Int32?) throws {
    let pipe = Pipe.full
    let target = folder / "kept.wav"
    let program = try RunningProgram(
      command: ["live", "--json", "--input", recording, "--record", target]
        + (signal == nil ? ["--duration", "1s"] : []),
      output: pipe)
    try program.waitUntil { try program.errors.contains("recording to") }
    if let signal { program.send(signal) }
    #expect(program.wait() == signal.map { -$0 } ?? 74)
    let errors = try program.errors
    #expect(errors.contains(" not written, for nobody reads standard output"))
    #expect(errors.contains(" s heard, "))
    withExtendedLifetime(pipe) {}
  }

  /// The server hangs while vadmon listens: the device is abandoned.
  @Test(arguments: [SIGINT, SIGTERM])
  func aHangingSoundServerDoesNotPreventTheEnd(signal: Int32) throws {
    let server = try PulseServer()
    let program = try RunningProgram(
      command: ["live", "--json", "--levels", "10", "--device", server.microphone],
      environment: try VirtualDriver.environment)
    try program.waitUntil { try program.output.contains(#""type": "level""#) }
    server.hang(true)
    program.send(signal)
    #expect(program.wait() == -signal)
    #expect(try program.output.contains(#""type": "file""#))
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func aServerThatHangsBeforeItIsOpenedDoesNotPreventTheEnd(signal: Int32) throws {
    let server = try PulseServer()
    server.hang(true)
    let program = try RunningProgram(
      command: ["live", "--json", "--device", server.microphone],
      environment: try VirtualDriver.environment)
    try program.waitUntilInterruptible()
    program.send(signal)
    try expectAnEndWithoutSound(program, signal)
  }

  /// The user ended the run, so nothing is wrong with the input.
  private func expectAnEndWithoutSound(_ program: RunningProgram, _ signal: Int32) throws {
    #expect(program.wait() == -signal)
    expectMessage(try program.errors, "0.000 s heard", "0.000 s of speech", "0 segments")
    #expect(try program.output.isEmpty)
  }

  @Test(arguments: [SIGINT, SIGTERM]) func aPipeWithoutAWriterDoesNotPreventTheEnd(signal: Int32)
    throws
  {
    let program = try RunningProgram(command: ["live", "--json", "--input", folder.pipe()])
    try program.waitUntilInterruptible()
    program.send(signal)
    try expectAnEndWithoutSound(program, signal)
  }

  @Test func aServerThatHangsThroughoutDoesNotPreventTheEnd() throws {
    let server = try PulseServer()
    server.hang(true)
    let result = try Program.vadmon(
      "live", "--device", server.microphone, "--duration", "1s",
      environment: try VirtualDriver.environment)
    #expect(result.status == 69)
    #expect(result.errors.hasPrefix("vadmon: \(server.microphone) has not answered: "))
  }

  /// No data, the beginning of a header, and the start of an MP3, which is first copied to its end.
  @Test(arguments: [
    Data(), Data("RIF".utf8), Data("ID3\u{4}\0\0\0\0\0\0".utf8) + Data(count: 50_000),
  ])
  func standardInputWithoutDataDoesNotPreventTheEnd(start: Data) throws {
    for signal in [SIGINT, SIGTERM] {
      let program = try RunningProgram(command: ["live", "-", "--json"])
      try program.write(start)
      try program.waitUntilInterruptible()
      try program.waitUntil { program.hasReadAllInput }
      program.send(signal)
      try expectAnEndWithoutSound(program, signal)
    }
    let program = try RunningProgram(command: ["live", "-", "--duration", "1s"])
    try program.write(start)
    #expect(program.wait() == 69)
    #expect(
      try program.errors.hasPrefix("vadmon: too little has come on standard input to begin: "))
  }

  /// ffmpeg hangs, not the disk and not the writer of the input.
  @Test(.tags(.slow), arguments: [false, true]) func aHangingFFmpegDoesNotPreventTheEnd(
    fromStandardInput: Bool
  )
    throws
  {
    let mp4 = Data([0, 0, 0, 24] + Array("ftypM4A ".utf8)) + Data(count: 20)
    let file = try folder.write(mp4, to: "a.m4a")
    try folder.script("echo >> '\(folder / "started")'; exec sleep 1000", to: "bin/ffmpeg")
    let program = try RunningProgram(
      command: ["live", "--duration", "4s"] + (fromStandardInput ? ["-"] : ["--input", file]),
      environment: folder.programsFirst)
    if fromStandardInput {
      try program.write(mp4)
      try program.closeInput()
    }
    #expect(program.wait() == 69)
    let name = fromStandardInput ? "standard input" : file
    expectMessage(try program.errors, name, "--duration", "ffmpeg", "PATH")
    #expect(try folder.names.contains("started"))
  }

  /// The writer of a recording has stopped writing.
  @Test(arguments: [nil, SIGINT, SIGTERM] as [Int32?])
  func aStalledRecordingDoesNotPreventTheEnd(signal: Int32?) throws {
    let duration = signal == nil ? ["--duration", "2s"] : []
    let program = try RunningProgram(command: ["live", "-", "--json"] + duration)
    try program.write(try Data(contentsOf: URL(fileURLWithPath: recording)).prefix(60_000))
    if let signal {
      try program.waitUntil { try program.output.contains(#""type": "onset""#) }
      program.send(signal)
    }
    #expect(program.wait() == signal.map { -$0 } ?? 0)
    #expect(try program.output.contains(#""type": "file""#))
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func aHangingEventProgramDoesNotPreventTheEnd(signal: Int32) throws {
    let script =
      "trap '' TERM INT; echo $$ > '\(folder / "new")'; mv '\(folder / "new")' '\(folder / "pid")'; sleep 1000"
    let program = try RunningProgram(command: [
      "live", "--json", "--input", recording, "--on-event", "sh", "--on-event-argument=-c",
      "--on-event-argument=\(script)", "--on-event-timeout", "1h",
    ])
    try program.waitUntil { try folder.names.contains("pid") }
    program.send(signal)
    #expect(program.wait() == -signal)
    #expect(
      try program.errors.contains("--on-event: sh had not ended when vadmon did, and was ended"))
    #expect(Program.isOver(try folder.text(of: "pid").split(separator: "\n")[0]))
  }

  /// The options for a program that hangs and has started another in the background, which ignores SIGTERM.
  private var hangingHook: [String] {
    let script = """
      trap '' TERM INT; sleep 1000 & echo $$ $! > '\(folder / "new")'; mv '\(folder / "new")' '\(folder / "pids")'
      wait; sleep 1000
      """
    return [
      "--on-event", "sh", "--on-event-argument=-c", "--on-event-argument=\(script)",
      "--on-event-timeout", "1h",
    ]
  }

  /// Whether both programs of ``hangingHook`` have ended.
  private var hookIsOver: Bool {
    get throws {
      let pids = try folder.text(of: "pids").split { " \n".contains($0) }
      return pids.count == 2 && pids.allSatisfy(Program.isOver)
    }
  }

  /// Everything hangs at once: the reader of the output, the program of --on-event and the reader of the recording.
  @Test(arguments: [SIGINT, SIGTERM]) func nothingThatHangsPreventsTheEnd(signal: Int32) throws {
    let target = try folder.pipe("recording")
    let reader = open(target, O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    // F_SETPIPE_SZ: by the time of the first event, vadmon has heard far more than the pipe can hold.
    #expect(fcntl(reader, 1031, 4096) == 4096)
    let pipe = Pipe.full
    let program = try RunningProgram(
      command: ["live", "--json", "--input", recording, "--record", target] + hangingHook,
      output: pipe)
    try program.waitUntil { try folder.names.contains("pids") }
    program.send(signal)
    #expect(program.wait() == -signal)
    let errors = try program.errors
    let lost = errors.firstMatch(
      of: #/ has ended: the disk does not answer, and ([0-9.]+) s of sound were not written; /#)
    #expect(try #require(lost.flatMap { Double($0.output.1) }) > 0)
    #expect(errors.contains("--on-event: sh had not ended when vadmon did, and was ended"))
    #expect(errors.contains(" not written, for nobody reads standard output"))
    #expect(try hookIsOver)
    withExtendedLifetime(pipe) {}
  }

  /// Messages that are not read do not delay the end either.
  @Test func unreadMessagesDoNotPreventTheEnd() throws {
    let (output, errors) = (Pipe.full, Pipe.full)
    let program = try RunningProgram(
      command: ["live", "--json", "--input", recording] + hangingHook, output: output,
      errors: errors)
    try program.waitUntil { try folder.names.contains("pids") }
    program.interrupt()
    #expect(program.wait() == -SIGINT)
    #expect(try hookIsOver)
    withExtendedLifetime((output, errors)) {}
  }

  @Test func missedEventsAreARecord() throws {
    let program = try RunningProgram(command: [
      "live", "--json", "-q", "--input", recording, "--on-event", "sleep",
      "--on-event-argument", "1000", "--on-event-timeout", "1h",
    ])
    try program.waitUntil { try program.output.contains(#""type": "offset""#) }
    program.interrupt()
    #expect(program.wait() == -SIGINT)
    #expect(try program.output.contains(#""by": "on_event", "message": "#))
    #expect(try program.errors.isEmpty)
  }
}
