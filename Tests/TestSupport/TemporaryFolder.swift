public import Foundation

/// A separate folder for a test, removed after it.
public final class TemporaryFolder: Sendable {
  public let path: String

  public init() throws {
    path =
      FileManager.default.temporaryDirectory.appendingPathComponent(
        "voice-activity-tests-" + UUID().uuidString
      ).path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  public static func / (folder: TemporaryFolder, name: String) -> String {
    folder.path + "/" + name
  }

  /// The names of everything in it, including hidden files, sorted.
  public var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }

  public func text(of name: String) throws -> String {
    try String(contentsOfFile: self / name, encoding: .utf8)
  }

  @discardableResult
  public func write(_ text: String, to name: String) throws -> String {
    try write(Data(text.utf8), to: name)
  }

  /// Writes a file, creates the folders above it, and returns its path.
  @discardableResult
  public func write(_ data: Data, to name: String) throws -> String {
    let url = URL(fileURLWithPath: self / name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: url)
    return url.path
  }
}
