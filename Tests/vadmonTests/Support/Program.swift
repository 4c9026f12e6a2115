import Foundation
import TestSupport

/// The built `vadmon`, run as a user runs it.
enum Program {
  struct Result {
    var status: Int32
    var output: String
    var errors: String
    /// The bytes of `output`, which need not be UTF-8.
    var bytes: Data

    /// What `--show-config --format json` prints, without where each setting came from.
    var settingsAlone: String { output.components(separatedBy: ", \"sources\": ")[0] }

    var lines: [String] { output.split(separator: "\n").map(String.init) }
  }

  /// The program's path: the build puts it beside the test bundle.
  static let path: String = {
    let bundle =
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return URL(fileURLWithPath: bundle).deletingLastPathComponent().appendingPathComponent("vadmon")
      .path
  }()

  /// Runs `vadmon analyze`.
  static func analyze(
    _ arguments: String..., input: Data = Data(), environment: [String: String] = [:]
  ) throws -> Result {
    try run([path, "analyze"] + arguments, input: input, environment: environment)
  }

  /// Runs a line of shell in which `$vadmon` is the program and `$1`, `$2` … are the arguments.
  static func shell(_ script: String, _ arguments: String...) throws -> Result {
    try run(["/bin/sh", "-c", script, "sh"] + arguments, environment: ["vadmon": path])
  }

  /// Runs a command with files as its streams, so that neither side waits for the other to read.
  @discardableResult
  static func run(
    _ command: [String], input: Data = Data(), environment: [String: String] = [:]
  ) throws -> Result {
    let folder = try TemporaryFolder()
    let (stdin, stdout, stderr) = (folder / "stdin", folder / "stdout", folder / "stderr")
    try input.write(to: URL(fileURLWithPath: stdin))
    for path in [stdout, stderr] { try Data().write(to: URL(fileURLWithPath: path)) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: command[0])
    process.arguments = Array(command.dropFirst())
    process.environment = baseEnvironment.merging(environment) { $1 }
    process.standardInput = FileHandle(forReadingAtPath: stdin)
    process.standardOutput = FileHandle(forWritingAtPath: stdout)
    process.standardError = FileHandle(forWritingAtPath: stderr)
    try process.run()
    try process.waitForEnd()
    let bytes = try Data(contentsOf: URL(fileURLWithPath: stdout))
    return Result(
      status: process.terminationStatus, output: String(decoding: bytes, as: UTF8.self),
      errors: try String(decoding: Data(contentsOf: URL(fileURLWithPath: stderr)), as: UTF8.self),
      bytes: bytes)
  }

  /// The tests' own environment, without variables that change vadmon's behaviour, and without the user's
  /// configuration.
  static var baseEnvironment: [String: String] {
    ProcessInfo.processInfo.environment
      .filter { !["NO_COLOR", "TERM", "VA_CPU"].contains($0.key) && !$0.key.hasPrefix("VADMON_") }
      .merging([
        "XDG_CONFIG_HOME": path + "-without-configuration", "LC_ALL": "C.UTF-8",
      ]) { $1 }
  }
}
