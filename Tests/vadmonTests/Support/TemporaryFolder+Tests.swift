import Foundation
import TestSupport
import Testing

extension TemporaryFolder {
  /// Returns the data with an id in the page of a report.
  func pageData(_ id: String) throws -> JSONObject {
    let parts = try text(of: "page.html").components(separatedBy: "id=\"\(id)\">")
    return try #require(parts.dropFirst().first?.components(separatedBy: "</script>").first)
      .jsonObject
  }

  /// The environment in which the programs in its `bin` take the place of others.
  var programsFirst: [String: String] {
    ["PATH": "\(self / "bin"):\(ProcessInfo.processInfo.environment["PATH"] ?? "")"]
  }

  /// Makes a named pipe, and returns its path.
  @discardableResult
  func pipe(_ name: String = "pipe") throws -> String {
    try #require(mkfifo(self / name, 0o600) == 0)
    return self / name
  }
}
