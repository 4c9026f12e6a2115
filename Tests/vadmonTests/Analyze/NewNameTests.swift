import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import vadmon

/// Tests of renaming to a name that must not be in use.
@Suite struct NewNameTests {
  private let folder = TemporaryFolder()
  private let made: FilePath
  private let target: FilePath

  init() throws {
    made = FilePath(try folder.write("new", to: "made"))
    target = FilePath(folder / "target")
  }

  private static let ways: [@Sendable (FilePath, FilePath) throws -> Void] = [
    { try $0.rename(toNew: $1) },
    // The way for file systems without hard links.
    { try $0.rename(toReserved: $1) },
  ]

  @Test(arguments: ways.indices) func aFreeNameIsTaken(way: Int) throws {
    try Self.ways[way](made, target)
    #expect(try folder.names == ["target"])
    #expect(try folder.text(of: "target") == "new")
  }

  @Test(arguments: ways.indices) func aNameThatIsTakenStays(way: Int) throws {
    try folder.write("old", to: "target")
    #expect(throws: Errno.fileExists) { try Self.ways[way](made, target) }
    #expect(try folder.text(of: "target") == "old")
    #expect(try folder.text(of: "made") == "new")
  }

  @Test func aNameThatCannotBeGivenStaysFree() throws {
    let gone = FilePath(folder / "gone")
    #expect(throws: Errno.noSuchFileOrDirectory) { try gone.rename(toReserved: target) }
    #expect(try folder.names == ["made"])
  }

  /// When many files want the same name at once, exactly one gets it.
  @Test(arguments: ways.indices) func oneOfManyWins(way: Int) async throws {
    let paths = try (0..<16).map { FilePath(try folder.write("\($0)", to: "made-\($0)")) }
    let target = target
    var winners: [Int] = []
    await withTaskGroup(of: Int?.self) { group in
      for (index, path) in paths.enumerated() {
        group.addTask {
          do { try Self.ways[way](path, target) } catch { return nil }
          return index
        }
      }
      for await case let winner? in group { winners.append(winner) }
    }
    #expect(winners.count == 1)
    #expect(try folder.text(of: "target") == winners.map(String.init).joined())
  }
}
