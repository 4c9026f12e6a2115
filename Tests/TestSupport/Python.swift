import Foundation

/// Python's standard library as an independent reader of vadmon's output.
public enum Python {
  /// Runs a script with `input` on its standard input, and returns its output, which must be JSON.
  public static func json(_ script: String, input: String) throws -> Any {
    let process = Process()
    let toPython = Pipe()
    let fromPython = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-c", script]
    process.standardInput = toPython
    process.standardOutput = fromPython
    try process.run()
    try toPython.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try toPython.fileHandleForWriting.close()
    let output = fromPython.fileHandleForReading.readDataToEndOfFile()
    try process.waitForEnd()
    guard process.terminationStatus == 0 else { throw Failure(status: process.terminationStatus) }
    return try JSONSerialization.jsonObject(with: output, options: .fragmentsAllowed)
  }

  public struct Failure: Error { public var status: Int32 }
}
