import Foundation
import TestSupport
import Testing

/// Signals that end a program: it dies of them, and leaves nothing behind.
@Suite struct SignalTests {
  private let folder = TemporaryFolder()

  /// Starts a program and waits until it has begun to write results, under a hidden name.
  private func writing(
    _ command: String, signals: String = "--default-signal=HUP,INT,TERM"
  ) throws -> RunningProgram {
    // A rate says that the input is raw PCM, so that no note reports it.
    let rate = command == "analyze" ? ["--rate", "16000"] : []
    let others = try folder.names
    let program = try RunningProgram(
      command: [command, "-", "--output", folder / "out"] + rate, signals: signals)
    if command == "analyze" { try program.write(TestAudio.utterance()) }
    try program.waitUntil {
      try folder.names.contains { $0.hasPrefix(".") && !others.contains($0) }
    }
    return program
  }

  @Test(arguments: [SIGHUP, SIGTERM])
  func noTemporaryFileIsLeft(signal: Int32) throws {
    let program = try writing("pause")
    program.send(signal)
    #expect(program.wait() == -signal)
    #expect(try folder.names.isEmpty)
    #expect(try program.errors.isEmpty)
  }

  /// Nothing can be done about SIGKILL, except by the next run. What a running process writes, or anybody else, stays.
  @Test func whatAKilledProgramLeavesIsRemovedByTheNext() throws {
    let killed = try writing("analyze")
    killed.send(SIGKILL)
    #expect(killed.wait() == -SIGKILL)
    let left = try folder.names
    #expect(left.count == 1)
    let running = try writing("pause")
    let written = try folder.names
    #expect(written.count == 1 && written != left)
    let others = [".vadmon-1-1.tmp", ".vadmon-x.tmp", ".vadmon-999999999-01.tmp", ".vadmon-"]
    for name in others { try folder.write("", to: name) }
    let next = try writing("analyze")
    try next.closeInput()
    #expect(next.wait() == 0)
    #expect(Set(try folder.names) == Set(others + written + ["out"]))
    try running.closeInput()
    _ = running.wait()
  }

  /// Only `analyze` has something to print when it is interrupted.
  @Test func anInterruptEndsATrace() throws {
    let program = try writing("pause")
    program.interrupt()
    #expect(program.wait() == -SIGINT)
    expectMessage(try program.errors, "interrupted", "not complete")
    #expect(try folder.names.isEmpty)
  }

  /// Opening a pipe waits for a writer.
  @Test(arguments: [SIGHUP, SIGINT, SIGTERM])
  func aComparisonEnds(signal: Int32) throws {
    let pipe = try folder.pipe()
    let program = try RunningProgram(command: ["compare", pipe, pipe])
    try program.waitUntilInterruptible()
    program.send(signal)
    #expect(program.wait() == -signal)
    let errors = try program.errors
    if signal == SIGINT { expectMessage(errors, "interrupted") } else { #expect(errors.isEmpty) }
  }

  /// Opening the pipe for the settings waits for a reader.
  @Test func anInterruptEndsShowConfig() throws {
    let program = try RunningProgram(
      command: ["analyze", "--show-config", "--output", folder.pipe()])
    try program.waitUntilInterruptible()
    program.interrupt()
    #expect(program.wait() == -SIGINT)
    expectMessage(try program.errors, "interrupted", "not complete")
  }

  /// Nobody reads the message either.
  @Test func anInterruptEndsWithoutAReaderOfMessages() throws {
    let errors = Pipe.full
    let program = try RunningProgram(command: ["pause", "-"], errors: errors)
    try program.waitUntilInterruptible()
    program.interrupt()
    #expect(program.wait() == -SIGINT)
    withExtendedLifetime(errors) {}
  }

  @Test func signalsThatNohupIgnoresStayIgnored() throws {
    let program = try writing("pause", signals: "--ignore-signal=HUP")
    program.send(SIGHUP)
    try program.write("{\"at\": 0, \"type\": \"estimate\", \"bps\": 1}\n")
    try program.closeInput()
    #expect(program.wait() == 0)
    #expect(try folder.names == ["out"])
  }
}
