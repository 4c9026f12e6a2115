import ArgumentParser
import TestSupport
import Testing

@testable import vadmon

/// An option with one value that is given twice: neither value is right.
@Suite struct RepeatedOptionTests {
  private func run(_ line: String) throws -> Program.Result {
    try Program.vadmon(line.split(separator: " ").map(String.init))
  }

  @Test(
    arguments: [
      ("analyze --files-from a --files-from b", "--files-from is given 2 times: give it once"),
      ("x.wav --pad 5ms --pad=5ms --pad 6ms", "--pad is given 3 times: give it once"),
      ("x.wav -o a --quiet --output b", "-o and --output are one option: give it once"),
      ("x.wav --merge 1s --min-silence=2s", "--merge and --min-silence are one option: give it"),
      ("x.wav -j2 -j 3", "-j is given 2 times: give it once"),
      ("x.wav --exec true --exec false", "--exec is given 2 times: give it once"),
      ("live -dhw:1 -d hw:2", "-d is given 2 times: give it once"),
      ("live --on-event true --on-event false", "--on-event is given 2 times: give it once"),
      ("live --config a --config b --show-config", "--config is given 2 times: give it once"),
      ("compare a b --format json --format text", "--format is given 2 times: give it once"),
      ("bench --seconds 1 --seconds 2", "--seconds is given 2 times: give it once"),
    ])
  func itIsRefused(row: (line: String, message: String)) throws {
    let result = try run(row.line)
    #expect(result.status == 64 && result.output.isEmpty)
    #expect(result.errors.hasPrefix("vadmon: \(row.message)"), "\(result.errors)")
  }

  /// Flags, options that may be repeated, and values that look like options.
  @Test(
    arguments: [
      "--quiet --quiet --show-config", "-q --quiet --show-config",
      "--template --pad --pad 5ms --show-config", "-o /dev/stdout --template -o --show-config",
      "--show-config --pad 1ms -- --pad --pad",
      "--show-config --channel 1 --reference-channel 2 -q -q",
      "live --on-event true --on-event-argument -q --on-event-argument -q --show-config",
      "tune a b --for f1 --silence x --silence y --show-config",
    ])
  func whatIsNotRepeatedIsAccepted(line: String) throws {
    let result = try run(line)
    #expect(result.status == 0, "\(result.errors)")
  }

  @Test func allOtherNamesAreKnown() {
    let commands = Vadmon.configuration.subcommands
    let several = commands.flatMap(HelpEntry.all(of:)).filter {
      $0.takesValue && $0.names.count > 1
    }
    for entry in several {
      let names = Set(entry.names.map { RepeatedOption.otherNames[$0] ?? $0 })
      #expect(names.count == 1, "\(entry.names)")
    }
    #expect(Set(several.flatMap(\.names)).count == 2 * RepeatedOption.otherNames.count)
  }

  @Test func boundsOfACompareMayBeRepeated() throws {
    let folder = TemporaryFolder()
    let labels = try folder.write("0\t1\tspeech\n", to: "a.txt")
    let result = try run("compare \(labels) \(labels) --min f1=0.1 --min precision=0.1 --max f1=2")
    #expect(result.status == 0, "\(result.errors)")
  }
}
