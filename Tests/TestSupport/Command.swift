public import Foundation

/// What a program left when it ended.
public struct CommandResult {
  public var status: Int32
  /// The bytes on standard output, which need not be UTF-8.
  public var bytes: Data
  public var errors: String

  public var output: String { String(decoding: bytes, as: UTF8.self) }

  public var lines: [String] { output.split(separator: "\n").map(String.init) }

  /// The lines on standard error.
  public var messages: [String] { errors.split(separator: "\n").map(String.init) }

  public var json: JSONObject { get throws { try bytes.jsonObject } }

  /// The objects of JSON Lines.
  public var records: [JSONObject] { get throws { try output.jsonLines } }
}

/// Runs a command, whose program is found on PATH, with files as its streams, so that neither side waits for the other
/// to read. A program that does not end is an error.
@discardableResult
public func run(
  _ command: [String], in folder: TemporaryFolder? = nil, input: Data = Data(),
  environment: [String: String] = ProcessInfo.processInfo.environment
) throws -> CommandResult {
  let streams = TemporaryFolder()
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = command
  process.environment = environment
  if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder.path) }
  process.standardInput = FileHandle(forReadingAtPath: try streams.write(input, to: "stdin"))
  process.standardOutput = FileHandle(forWritingAtPath: try streams.write("", to: "stdout"))
  process.standardError = FileHandle(forWritingAtPath: try streams.write("", to: "stderr"))
  try process.run()
  try process.waitForEnd()
  return CommandResult(
    status: process.terminationStatus, bytes: try streams.data(of: "stdout"),
    errors: String(decoding: try streams.data(of: "stderr"), as: UTF8.self))
}

/// A program that the tests need has failed.
public struct CommandFailure: Error, CustomStringConvertible {
  public let description: String

  public init(_ result: CommandResult) {
    description = "exit code \(result.status): \(result.errors)"
  }
}
