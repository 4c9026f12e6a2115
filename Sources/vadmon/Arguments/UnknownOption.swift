import ArgumentParser
import AudioInput
import SystemPackage

/// An option that a command does not have, and what to write instead.
struct UnknownOption {
  private let word: String
  private let name: String
  private let command: any ParsableCommand.Type

  /// - Parameter word: The argument, whose value does not matter.
  init(_ word: String, of command: any ParsableCommand.Type) {
    self.word = word
    name = String(word.prefix { $0 != "=" })
    self.command = command
  }

  /// Finds the first long option that the command does not have. Returns `nil` if it has all of them.
  init?(among arguments: [String], of command: any ParsableCommand.Type) {
    let known = Self.options(of: command)
    let names = arguments.prefix { $0 != "--" }.filter { $0.hasPrefix("--") }
      .map { String($0.prefix { $0 != "=" }) }
    guard let name = names.first(where: { !known.contains($0) }) else { return nil }
    self.init(name, of: command)
  }

  var sentence: String {
    let title = command.configuration.commandName ?? ""
    let replacement = otherForm ?? foreign
    let long = Self.options(of: command).filter { $0.hasPrefix("--") }
    let suggestion = Spelling.similar(to: name, among: long).map { "did you mean \($0)?" }
    let remedy =
      file ?? joinedFlags ?? replacement ?? suggestion
      ?? "vadmon \(title) --help lists those that it has"
    return "\(title) has no option \(name): \(remedy)"
  }

  /// The advice for the name of a file that begins as options do.
  private var file: String? {
    let path = FilePath(bytes: ArgumentBytes.bytes(of: word))
    guard path.type != nil || MediaName.isRecording(path) else { return nil }
    return "if it is a file, write ./\(word)"
  }

  /// The advice for several short options in one word, the last of which has a value: ArgumentParser does not read
  /// that.
  private var joinedFlags: String? {
    guard name.count > 2, !name.hasPrefix("--") else { return nil }
    let title = command.configuration.commandName ?? ""
    return "write short options apart; vadmon \(title) --help lists them"
  }

  /// What does the same. Commands with several formats have `--format`; commands with one format besides text have
  /// `--json`.
  private var otherForm: String? {
    let options = Self.options(of: command)
    let formats =
      command == AnalyzeCommand.self
      ? FormatName.allCases.map(\.rawValue) : FigureFormat.allCases.map(\.rawValue)
    let word = name.drop { $0 == "-" }
    switch name {
    case "--format" where options.contains("--json"), "-f" where options.contains("--json"):
      return "use --json"
    case "-V": return "use --version"
    case "--list", "--list-devices": return "vadmon devices lists the microphones"
    case _ where options.contains("--format") && formats.contains(String(word)):
      return "use --format \(word)"
    default: return nil
    }
  }

  /// The advice for an option that other commands have.
  private var foreign: String? {
    let owners = Vadmon.configuration.subcommands.filter { Self.options(of: $0).contains(name) }
    let names = owners.compactMap { $0.configuration.commandName }
    guard let last = names.last else { return nil }
    let others = names.dropLast().joined(separator: ", ")
    return "leave it out; it belongs to \(others.isEmpty ? last : "\(others) and \(last)")"
  }

  /// Returns the names of the command's options.
  private static func options(of command: any ParsableCommand.Type) -> [String] {
    HelpEntry.all(of: command).flatMap(\.names)
  }
}
