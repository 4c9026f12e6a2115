import Foundation
import SystemPackage
import TestSupport

extension TemporaryFolder {
  func file(_ name: String) -> FilePath { FilePath(self / name) }

  @discardableResult
  func write(_ bytes: [UInt8], to name: String = "input") throws -> FilePath {
    FilePath(try write(Data(bytes), to: name))
  }

  func read(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: self / name)))
  }
}
