import Foundation
import TestSupport
import Testing

/// A `vadmon` that runs until its standard input is closed or a signal arrives.
final class RunningProgram {
  private let folder = TemporaryFolder()
  private let process = Process()
  private let input = Pipe()

  /// Runs `vadmon analyze -`. `output` is a pipe for standard output instead of a file.
  convenience init(_ arguments: String..., output: Pipe? = nil) throws {
    try self.init(command: ["analyze", "-"] + arguments, output: output)
  }

  /// Runs vadmon. `signals` is the option for env(1), because the tests may run where SIGHUP is ignored.
  init(
    command: [String], output: Pipe? = nil, errors: Pipe? = nil,
    signals: String = "--default-signal=HUP,INT,TERM",
    environment: [String: String] = [:]
  ) throws {
    // If a program has ended, writing to it must be an error, not the end of all tests.
    signal(SIGPIPE, SIG_IGN)
    for name in ["stdout", "stderr"] { try folder.write("", to: name) }
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [signals, Program.path] + command
    process.environment = Program.baseEnvironment.merging(environment) { $1 }
    process.standardInput = input
    process.standardOutput =
      output?.fileHandleForWriting ?? FileHandle(forWritingAtPath: folder / "stdout")
    process.standardError =
      errors?.fileHandleForWriting ?? FileHandle(forWritingAtPath: folder / "stderr")
    try process.run()
  }

  var output: String { get throws { try folder.text(of: "stdout") } }
  var errors: String { get throws { try folder.text(of: "stderr") } }

  /// The JSON Lines on standard output, without one that is still being written.
  var records: [JSONObject] {
    get throws {
      let text = try output
      return try text[..<(text.lastIndex(of: "\n") ?? text.startIndex)].jsonLines
    }
  }

  /// Returns how often a text stands on standard output.
  func count(_ text: String) throws -> Int { try output.ranges(of: text).count }

  func write(_ samples: [Float]) throws {
    try input.fileHandleForWriting.write(contentsOf: TestAudio.pcm16(samples))
  }

  func write(_ text: String) throws { try write(Data(text.utf8)) }

  func write(_ data: Data) throws { try input.fileHandleForWriting.write(contentsOf: data) }

  func closeInput() throws { try input.fileHandleForWriting.close() }

  func interrupt() { send(SIGINT) }

  func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

  /// Whether the program has read everything that was written to it.
  var hasReadAllInput: Bool {
    var count: Int32 = 0
    return ioctl(input.fileHandleForWriting.fileDescriptor, UInt(FIONREAD), &count) == 0
      && count == 0
  }

  /// Whether one of the program's descriptors is open on a file.
  func hasOpen(_ path: String) -> Bool {
    let folder = "/proc/\(process.processIdentifier)/fd/"
    let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return descriptors.contains {
      (try? FileManager.default.destinationOfSymbolicLink(atPath: folder + $0)) == path
    }
  }

  /// The file that the program's standard error is open on now.
  var errorFile: String? {
    try? FileManager.default.destinationOfSymbolicLink(
      atPath: "/proc/\(process.processIdentifier)/fd/2")
  }

  /// Waits for the end, and returns the exit code or the negative number of the signal that ended the program. A
  /// program that does not end is killed, so that only its own test fails.
  func wait() -> Int32 {
    do { try process.waitForEnd() } catch { Issue.record(error) }
    let status = process.terminationStatus
    return process.terminationReason == .uncaughtSignal ? -status : status
  }

  /// Waits until vadmon handles SIGINT, which would end the process before. A new process blocks all signals for a
  /// moment before exec, so this also waits until it is vadmon.
  func waitUntilInterruptible() throws {
    try waitUntil { try status("Name") == "vadmon" && signalMask("SigBlk") & sigint != 0 }
  }

  /// Waits until vadmon has begun to analyse, so that SIGINT no longer ends it at once: there are workers beside the
  /// main thread and the one for signals.
  func waitUntilAnalysing() throws { try waitForThreads(3) }

  /// Waits until vadmon waits for the reader of a pipe: a thread opens it. Raw PCM on standard input must be the only
  /// input, and therefore has one worker, which also reads it.
  func waitUntilOpening() throws { try waitForThreads(4) }

  private func waitForThreads(_ count: Int) throws {
    try waitUntil { try status("Name") == "vadmon" && Int(try status("Threads")) ?? 0 >= count }
  }

  /// Waits until a SIGSTOP that was sent has stopped it.
  func waitUntilStopped() throws { try waitUntil { try status("State").hasPrefix("T") } }

  /// Waits until a SIGINT that was sent has been received.
  func waitUntilInterrupted() throws { try waitUntil { try signalMask("ShdPnd") & sigint == 0 } }

  func waitUntil(line: UInt = #line, _ condition: () throws -> Bool) throws {
    try blockUntil("the condition in line \(line)") {
      if try condition() { return true }
      guard process.isRunning else { throw Ended() }
      return false
    }
  }

  private let sigint: UInt64 = 1 << 1

  private func signalMask(_ name: String) throws -> UInt64 {
    UInt64(try status(name), radix: 16) ?? 0
  }

  /// Returns a line of /proc/PID/status (proc(5)).
  private func status(_ name: String) throws -> String {
    let status = try String(
      contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":\t") }
    return line.map { String($0.dropFirst(name.count + 2)) } ?? ""
  }

  deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

  struct Ended: Error {}
}

extension String {
  /// Returns the JSON lines of these types.
  func lines(ofTypes types: [String]) -> [Substring] {
    split(separator: "\n").filter { line in
      types.contains { line.contains("\"type\": \"\($0)\"") }
    }
  }
}
