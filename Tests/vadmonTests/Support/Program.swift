import ArgumentParser
import Foundation
import TestSupport

@testable import vadmon

/// The built `vadmon`, run as a user runs it.
enum Program {
  typealias Result = CommandResult

  /// The program's path: the build puts it beside the test bundle.
  static let path: String = {
    let bundle =
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return URL(fileURLWithPath: bundle).deletingLastPathComponent().appendingPathComponent("vadmon")
      .path
  }()

  static let commands = Vadmon.configuration.subcommands.compactMap { $0.configuration.commandName }

  /// Runs `vadmon`.
  static func vadmon(
    _ arguments: String..., in folder: TemporaryFolder? = nil, input: Data = Data(),
    environment: [String: String] = [:]
  ) throws -> Result {
    try vadmon(arguments, in: folder, input: input, environment: environment)
  }

  static func vadmon(
    _ arguments: [String], in folder: TemporaryFolder? = nil, input: Data = Data(),
    environment: [String: String] = [:]
  ) throws -> Result {
    try run([path] + arguments, in: folder, input: input, environment: environment)
  }

  /// Runs `vadmon analyze`.
  static func analyze(
    _ arguments: String..., input: Data = Data(), environment: [String: String] = [:]
  ) throws -> Result {
    try analyze(arguments, input: input, environment: environment)
  }

  static func analyze(
    _ arguments: [String], input: Data = Data(), environment: [String: String] = [:]
  ) throws -> Result {
    try vadmon(["analyze"] + arguments, input: input, environment: environment)
  }

  /// Runs a script of Python.
  static func python(
    _ script: String, _ arguments: String..., input: Data = Data(),
    environment: [String: String] = [:]
  ) throws -> Result {
    try run(["python3", "-c", script] + arguments, input: input, environment: environment)
  }

  /// Runs a script of shell, in which `$vadmon` is the program and `$1`, `$2` … are the arguments.
  static func shell(
    _ script: String, _ arguments: String..., in folder: TemporaryFolder? = nil,
    environment: [String: String] = [:]
  ) throws -> Result {
    try run(
      ["sh", "-c", script, "sh"] + arguments, in: folder,
      environment: ["vadmon": path].merging(environment) { $1 })
  }

  /// Runs a command in the environment of the tests, with these variables changed.
  @discardableResult
  static func run(
    _ command: [String], in folder: TemporaryFolder? = nil, input: Data = Data(),
    environment: [String: String] = [:]
  ) throws -> Result {
    try TestSupport.run(
      command, in: folder, input: input,
      environment: baseEnvironment.merging(environment) { $1 })
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

  /// Whether a process has ended, or is a zombie that its new parent has not waited for.
  static func isOver(_ id: some StringProtocol) -> Bool {
    let status = try? String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)
    return status?.contains(#/State:\t[ZX]/#) ?? true
  }
}

extension CommandResult {
  /// What `--show-config --format json` prints, without where each setting came from.
  var settingsAlone: String { output.components(separatedBy: ", \"sources\": ")[0] }

  /// The lines of a text for people, each divided at its blanks.
  var words: [[String]] { lines.map { $0.split(separator: " ").map(String.init) } }

  /// The rows of CSV, whose fields have no commas, below the header.
  var rows: [[String]] {
    output.split(separator: "\r\n").dropFirst().map { line in
      line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
  }
}
