import Foundation

/// Python's standard library as the independent reader of what vadmon writes.
enum Python {
  /// Runs a script with `input` on its standard input; what it prints, which must be JSON, is returned.
  static func json(_ script: String, input: String) throws -> Any {
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
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure(status: process.terminationStatus) }
    return try JSONSerialization.jsonObject(with: output, options: .fragmentsAllowed)
  }

  struct Failure: Error { var status: Int32 }
}
