import Foundation
import SystemPackage
import TestSupport

extension TemporaryFolder {
  func file(_ name: String) -> FilePath { FilePath(self / name) }

  /// A file of this name is removed before, because the file system waits for the disk when a file is emptied and
  /// written again.
  @discardableResult
  func write(_ bytes: [UInt8], to name: String = "input") throws -> FilePath {
    try? FileManager.default.removeItem(atPath: self / name)
    return FilePath(try write(Data(bytes), to: name))
  }

  func read(_ name: String) throws -> [UInt8] {
    [UInt8](try data(of: name))
  }
}
