import Foundation
import Testing

/// SIGINT, and pipes that deliver results while the input still flows.
@Suite struct InterruptionTests {
  @Test func theFirstPrintsWhatWasFound() throws {
    let program = try RunningProgram("--format", "jsonl")
    try program.write(TestAudio.utterance())
    try program.waitUntil { try program.output.contains("\"segment\"") }
    program.interrupt()
    #expect(program.wait() == 0)
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

  @Test func filesAreCompleteAfterAnInterruption() throws {
    let folder = try TemporaryFolder()
    let program = try RunningProgram(
      "--format", "json", "--output", folder / "out.json", "--frames", folder / "frames")
    try program.write(TestAudio.utterance())
    try program.waitUntil { program.hasReadAllInput }
    program.interrupt()
    #expect(program.wait() == 0)
    let document = try JSONSerialization.jsonObject(with: Data(folder.text(of: "out.json").utf8))
    let file = try #require(((document as? [String: Any])?["files"] as? [[String: Any]])?.first)
    #expect((file["warnings"] as? [String])?.first?.hasPrefix("interrupted at ") == true)
    // Data still in the pipe may or may not have been analysed; the two files agree.
    let duration = try #require(file["duration"] as? Double)
    let rows = try folder.text(of: "frames/stdin.csv").split(separator: "\n").count - 1
    #expect(rows == Int((duration * 1000).rounded()) / 10)
    #expect(try folder.names == ["frames", "out.json"])
  }

  /// Standard output is a full pipe without a reader, so that the first signal cannot complete.
  @Test func theSecondEndsAtOnce() throws {
    let pipe = Pipe()
    try fill(pipe)
    let program = try RunningProgram("--format", "jsonl", output: pipe)
    try program.waitUntilInterruptible()
    program.interrupt()
    try program.waitUntilInterrupted()
    program.interrupt()
    #expect(program.wait() == 130)
  }

  @Test func whatWasNotBegunIsCounted() throws {
    let recording = TestAudio.samples + "/speech.flac"
    let program = try RunningProgram("--format", "jsonl", "--jobs", "1", recording, recording)
    try program.write(TestAudio.utterance())
    try program.waitUntil { try program.output.contains("\"segment\"") }
    program.interrupt()
    #expect(program.wait() == 0)
    #expect(try !program.output.contains("speech.flac"))
    #expect(try program.errors.contains("interrupted: 2 inputs were not analysed"))
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

  private func fill(_ pipe: Pipe) throws {
    let descriptor = pipe.fileHandleForWriting.fileDescriptor
    let flags = fcntl(descriptor, F_GETFL)
    _ = fcntl(descriptor, F_SETFL, flags | O_NONBLOCK)
    let zeros = [UInt8](repeating: 0, count: 4096)
    while write(descriptor, zeros, zeros.count) > 0 {}
    while write(descriptor, zeros, 1) > 0 {}
    _ = fcntl(descriptor, F_SETFL, flags)
  }
}
