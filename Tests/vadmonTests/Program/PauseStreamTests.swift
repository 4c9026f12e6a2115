import Foundation
import TestSupport
import Testing

/// A trace that is still being written, and one that never ends.
@Suite struct PauseStreamTests {
  private static let lines = [
    #"{"at": 0, "type": "stream", "participant": "alice", "layers": [{"spatial": 0, "width": 320, "height": 180, "bps": 150000}]}"#,
    #"{"at": 0, "type": "estimate", "bps": 100000}"#, #"{"at": 2, "type": "tick"}"#,
  ].map { $0 + "\n" }

  @Test func resultsOfAPipeComeWhileItFlows() throws {
    let whole = try Program.vadmon("pause", "-", input: Data(Self.lines.joined().utf8)).output
    let program = try RunningProgram(command: ["pause", "-"])
    // The decision of a time waits for a line with a later time; half a line does not count.
    try program.write(Self.lines[0] + Self.lines[1] + Self.lines[2].prefix(20))
    try program.waitUntil { try program.output.contains("\"config\"") }
    #expect(try program.output.split(separator: "\n").count == 1)
    try program.write(String(Self.lines[2].dropFirst(20)))
    try program.waitUntil { try program.output.contains("paused_tracks") }
    let printed = try program.output
    #expect(whole.hasPrefix(printed) && !printed.contains("summary"))
    try program.closeInput()
    #expect(program.wait() == 0)
    #expect(try program.output == whole)
  }

  @Test(arguments: [["--summary"], ["--output"]])
  func filesAndSummariesComeAtTheEnd(_ option: [String]) throws {
    let folder = TemporaryFolder()
    let program = try RunningProgram(
      command: ["pause", "-", "--plot", folder / "plot.svg"] + option
        + (option == ["--output"] ? [folder / "out"] : []))
    try program.write(Self.lines.joined())
    try program.waitUntil { program.hasReadAllInput }
    #expect(try program.output.isEmpty)
    #expect(try folder.names.allSatisfy { $0.hasPrefix(".") })
    try program.closeInput()
    #expect(program.wait() == 0)
    #expect(try folder.names.contains("plot.svg"))
    #expect(try program.output.isEmpty == folder.names.contains("out"))
  }

  @Test func aBadLineOfAPipeIsReportedAtOnce() throws {
    let program = try RunningProgram(command: ["pause", "-"])
    try program.write("{?\n")
    try program.waitUntil { try program.errors.contains("standard input, line 1: column 2") }
    try program.write("??\n")
    try program.closeInput()
    #expect(program.wait() == 65)
    #expect(try program.errors.split(separator: "\n").count == 2)
    #expect(try program.output.isEmpty)
  }

  @Test func aLineWithoutEndIsReported() throws {
    let result = try Program.shell("\"$vadmon\" pause /dev/zero")
    #expect(result.status == 65)
    expectMessage(result.errors, "/dev/zero", "line 1", "16 MiB", "text file")
  }

  /// Without a picture, memory does not grow with the trace.
  @Test func memoryDoesNotGrowWithTheTrace() throws {
    let script = """
      import json, os, resource, subprocess, sys
      # AddressSanitizer would keep what was freed.
      os.environ["ASAN_OPTIONS"] = ":".join([os.environ.get("ASAN_OPTIONS", ""),
          "quarantine_size_mb=0", "thread_local_quarantine_size_kb=0"])
      def peak(count):
          process = subprocess.Popen([sys.argv[1], "pause", "-", "--summary"], text=True,
                                     stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
          process.stdin.write(sys.argv[2])
          for i in range(count):
              line = {"at": i, "type": "estimate", "bps": 100000 + 1000 * (i % 100)}
              print(json.dumps(line), file=process.stdin)
          process.stdin.close()
          assert process.wait() == 0
          return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
      print(json.dumps([peak(20000), peak(70000)]))
      """
    let result = try Program.python(script, Program.path, Self.lines[0])
    let peaks = try JSONDecoder().decode([Int].self, from: result.bytes)
    // In KiB: less than 20 bytes a line, so neither lines nor states are kept.
    #expect(peaks[1] - peaks[0] < 1_000, "\(peaks)")
  }
}
