import Foundation

/// Python's standard library as an independent reader of vadmon's output.
public enum Python {
  /// Runs a script with `input` on its standard input, and returns its output, which must be JSON.
  public static func json(_ script: String, input: String) throws -> Any {
    let result = try run(["python3", "-c", script], input: Data(input.utf8))
    guard result.status == 0 else { throw CommandFailure(result) }
    return try JSONSerialization.jsonObject(with: result.bytes, options: .fragmentsAllowed)
  }
}
