import Foundation
import SystemPackage

/// A folder that is removed with this object.
final class TemporaryFolder {
  let path: FilePath

  init() throws {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("audio-input-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = FilePath(url.path)
  }

  deinit { try? FileManager.default.removeItem(atPath: path.string) }

  func file(_ name: String) -> FilePath { path.appending(name) }

  @discardableResult
  func write(_ bytes: [UInt8], to name: String = "input") throws -> FilePath {
    try Data(bytes).write(to: URL(fileURLWithPath: file(name).string))
    return file(name)
  }

  func read(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: file(name).string)))
  }
}
