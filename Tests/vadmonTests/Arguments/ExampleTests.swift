import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import vadmon

/// The examples of the help, as a shell divides them and the program reads them.
@Suite struct ExampleTests {
  private struct Sheet: Sendable, CustomTestStringConvertible {
    var command: String
    var examples: [Example]
    var testDescription: String { "vadmon \(command)" }
  }

  private static let sheets =
    [Sheet(command: "", examples: Vadmon.examples)]
    + Vadmon.configuration.subcommands.compactMap { command in
      (command as? any CheckedCommand.Type).map {
        Sheet(command: command.configuration.commandName ?? "", examples: $0.examples)
      }
    }

  private let folder = TemporaryFolder()

  init() throws {
    try folder.write("{\"preset\": \"notice\"}\n", to: "my.json")
  }

  @Test func everyCommandHasExamples() {
    #expect(Self.sheets.count == Vadmon.configuration.subcommands.count + 1)
  }

  @Test(arguments: sheets) private func everyExampleIsAccepted(sheet: Sheet) throws {
    #expect(sheet.examples.count >= 2)
    for example in sheet.examples {
      let words = try arguments(of: example.line)
      do {
        let command = try Vadmon.command(for: words)
        if let command = command as? any CheckedCommand { _ = try command.checked() }
      } catch let error as CleanExit {
        #expect(words.first == "help", "\(example.line): \(error)")
      }
    }
  }

  @Test(arguments: sheets) private func theHelpShowsThemUnbroken(sheet: Sheet) throws {
    let help = try Program.vadmon(
      ["help"] + (sheet.command.isEmpty ? [] : [sheet.command]), environment: ["COLUMNS": "80"])
    for example in sheet.examples {
      let lines = ["  # \(example.meaning)", "  \(example.line)"]
      #expect(help.output.contains("\n" + lines.joined(separator: "\n") + "\n"), "\(example.line)")
      for line in lines { #expect(line.count <= 80, "\(line)") }
      #expect(!example.meaning.hasSuffix("."))
    }
  }

  /// Returns the words that a shell passes to vadmon. The other programs of a pipe are not run.
  private func arguments(of line: String) throws -> [String] {
    let result = try Program.shell(
      """
      PATH=; vadmon() { for word; do printf '%s\\0' "$word"; done; }; arecord() { :; }
      \(line)
      """, in: folder)
    #expect(result.status == 0 && result.errors.isEmpty, "\(line): \(result.errors)")
    return result.output.split(separator: "\0").map {
      $0 == "my.json" ? folder / "my.json" : String($0)
    }
  }
}
