import TestSupport
import Testing

@testable import vadmon

/// A misspelled command or option leads to the one that is meant.
@Suite struct SuggestionTests {
  @Test(
    arguments: [
      ("live --levles", "live has no option --levles: did you mean --levels?"),
      ("live --onevent", "live has no option --onevent: did you mean --on-event?"),
      ("live --record-file", "live has no option --record-file: did you mean --record?"),
      ("live --RECORD", "live has no option --RECORD: did you mean --record?"),
      ("live --on_event", "live has no option --on_event: did you mean --on-event?"),
      ("live --format", "live has no option --format: use --json"),
      ("live --format=json", "live has no option --format: use --json"),
      ("live --jobs", "live has no option --jobs: leave it out; it belongs to analyze and tune"),
      ("live --list", "live has no option --list: vadmon devices lists the microphones"),
      (
        "live -o",
        "live has no option -o: leave it out; it belongs to analyze, devices, compare, tune,"
      ),
      ("analyze --csv", "analyze has no option --csv: use --format csv"),
      ("bench --csv", "bench has no option --csv: vadmon bench --help lists those that it has"),
      (
        "analyze --vad-threshold",
        "analyze has no option --vad-threshold: did you mean --onset-threshold or --offset-threshold?"
      ),
      ("devices -V", "devices has no option -V: use --version"),
      ("live -f", "live has no option -f: use --json"),
      ("analyze --pda", "analyze has no option --pda: did you mean --pad?"),
      ("live --foo", "live has no option --foo: vadmon live --help lists those that it has"),
      ("analyze --frame", "analyze has no option --frame: did you mean --frames?"),
      (
        "analyze --threshold",
        "analyze has no option --threshold: did you mean --onset-threshold or --offset-threshold?"
      ),
      ("analyze --json", "analyze has no option --json: use --format json"),
      ("analyze --outputdir", "analyze has no option --outputdir: did you mean --output-dir?"),
      ("analyze --versoin", "analyze has no option --versoin: did you mean --version?"),
      (
        "analyze --device", "analyze has no option --device: leave it out; it belongs to live"
      ),
      (
        "analyze -xyz.wav",
        "analyze has no option -xyz.wav: if it is a file, write ./-xyz.wav"
      ),
      (
        "analyze --muted.wav", "analyze has no option --muted.wav: if it is a file, write ./--muted"
      ),
      ("analyze --pad0.5s", "analyze has no option --pad0.5s: did you mean --pad?"),
      ("analyze -z", "analyze has no option -z: vadmon analyze --help lists those that it has"),
      ("devices --jsn", "devices has no option --jsn: did you mean --json?"),
      ("devices --format", "devices has no option --format: use --json"),
      ("compare --json", "compare has no option --json: use --format json"),
      (
        "compare --bootstrap-resamples", "compare has no option --bootstrap-resamples: did you mean"
      ),
      ("pause --sumary", "pause has no option --sumary: did you mean --summary?"),
      (
        "pause --hangover",
        "pause has no option --hangover: leave it out; it belongs to analyze, live and tune"
      ),
      (
        "pause --json", "pause has no option --json: leave it out; it belongs to live and devices"
      ),
    ])
  func aSlipLeadsToTheOption(row: (typed: String, message: String)) throws {
    let result = try Program.vadmon(row.typed.split(separator: " ").map(String.init))
    #expect(result.status == 64)
    #expect(result.output.isEmpty)
    #expect(result.errors.hasPrefix("vadmon: " + row.message), "\(result.errors)")
    #expect(result.lines.count <= 1)
  }

  /// Returns the long options of each command, from its help.
  private static func options(of command: String) throws -> [String] {
    let help = try Program.vadmon(command, "--help").output
    return help.split(separator: "\n").compactMap { line in
      // Entries are indented; in the text above them, a line may begin with another command's option.
      let entry = line.drop { $0 == " " }
      guard line.hasPrefix(" "), entry.hasPrefix("-") else { return nil }
      return entry.split { " ,/<".contains($0) }.first { $0.hasPrefix("--") }.map(String.init)
    }
  }

  /// Returns misspellings: two letters exchanged, one left out, one doubled, and words joined.
  private static func slips(of option: String) -> [String] {
    let letters = Array(option)
    let middle = max(3, letters.count / 2)
    var (exchanged, shorter, longer) = (letters, letters, letters)
    if middle + 1 < letters.count { exchanged.swapAt(middle, middle + 1) }
    shorter.remove(at: middle)
    longer.insert(letters[middle], at: middle)
    let joined = "--" + option.filter { $0 != "-" }
    return ([exchanged, shorter, longer].map { String($0) } + [joined]).filter { $0 != option }
  }

  /// One slip of each option takes the whole way, of each kind in turn: a message takes long, because it renders the
  /// help of every command.
  @Test(arguments: Program.commands) func everySlipLeadsToItsOption(command: String) throws {
    let options = try Self.options(of: command)
    #expect(options.count > 2)
    for (index, option) in options.filter({ $0.count > 4 }).enumerated() {
      let slips = Self.slips(of: option).filter { !options.contains($0) }
      for slip in slips {
        let meant = Spelling.similar(to: slip, among: options) ?? ""
        #expect(meant.split(separator: " ").contains { $0 == option }, "\(slip): \(meant)")
      }
      let slip = slips[index % slips.count]
      let error = try #require(throws: RunError.self) {
        try Vadmon.command(for: [command, slip])
      }
      let words = error.messages[0].split { " ?".contains($0) }.map(String.init)
      #expect(error.exitCode == 64 && words.contains(option), "\(slip): \(error.messages[0])")
    }
  }

  @Test(arguments: [
    ("analyse", "analyze"), ("analize", "analyze"), ("liv", "live"), ("device", "devices"),
    ("comapre", "compare"), ("hlep", "help"), ("ANALYZE", "analyze"), ("Pause", "pause"),
    ("lvie", "live"),
  ])
  func aMisspelledCommandIsCorrected(word: String, command: String) throws {
    let result = try Program.vadmon(word, "x.wav")
    #expect(result.status == 64)
    expectMessage(result.errors, word, "vadmon \(command)")
  }

  @Test(arguments: [
    ("analize", "vadmon help analyze"), ("foo", "vadmon --help"),
  ])
  func aMisspelledTopicOfHelpIsCorrected(word: String, remedy: String) throws {
    let result = try Program.vadmon("help", word)
    #expect(result.status == 64)
    expectMessage(result.errors, word, remedy)
    #expect(result.output.isEmpty)
  }
}
