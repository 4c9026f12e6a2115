import Foundation
import TestSupport
import Testing

@testable import vadmon

/// The exit codes that the help and the documentation list, compared with the program's.
@Suite struct ExitCodeTests {
  private static let signals = [SIGHUP, SIGINT, SIGPIPE, SIGTERM].map { 128 + $0 }

  private func codes(_ text: Substring) -> Set<Int32> {
    Set(text.matches(of: #/\b\d+\b/#).compactMap { Int32($0.output) })
  }

  @Test func theTableHasAllCodes() throws {
    let page = URL(fileURLWithPath: TestAudio.samples).appending(path: "../docs/terminal.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    let section = try #require(text.components(separatedBy: "\n## Exit codes\n").last)
    let rows = section.split(separator: "\n").filter { $0.hasPrefix("| ") }
    let listed = rows.map { codes($0.split(separator: "|")[0]) }
    #expect(listed.reduce(into: Set()) { $0.formUnion($1) } == Set(ExitStatus.all))
    #expect(listed.map(\.count).reduce(0, +) == ExitStatus.all.count, "each stands once")
  }

  /// Every help lists the codes in order, and the table explains each of them.
  @Test(arguments: Program.commands) func theHelpListsTheCodes(command: String) throws {
    let help = try Program.vadmon(command, "--help").output
    let words = help.split { $0.isWhitespace }.joined(separator: " ")
    let list = try #require(
      words.firstMatch(of: #/Exit codes: (.*?)\. Ended by a signal: (.*?)\./#))
    func leading(_ text: Substring) -> [Int32] {
      text.components(separatedBy: "; ").compactMap { Int32($0.prefix { $0.isNumber }) }
    }
    let (own, ends) = (leading(list.output.1), leading(list.output.2))
    #expect(own == own.sorted() && own.first == 0 && own.contains(64) && own.contains(74))
    #expect(ends == Self.signals)
    #expect(Set(own + ends).isSubset(of: ExitStatus.all))
  }
}
