import ArgumentParser

/// An option that a command does not have, and what to write instead.
struct UnknownOption {
  private let name: String
  private let command: any ParsableCommand.Type

  init(_ name: String, of command: any ParsableCommand.Type) {
    self.name = String(name.prefix { $0 != "=" })
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
    let replacement = otherFormFlag.map { "use \($0)" } ?? foreign
    let suggestion = similar.map { "did you mean \($0)?" }
    let remedy =
      joinedFlags ?? replacement ?? suggestion ?? "vadmon \(title) --help lists those that it has"
    return "\(title) has no option \(name): \(remedy)"
  }

  /// The advice for several short options in one word, the last of which has a value: ArgumentParser does not read that.
  private var joinedFlags: String? {
    guard name.count > 2, !name.hasPrefix("--") else { return nil }
    let title = command.configuration.commandName ?? ""
    return "write short options apart; vadmon \(title) --help lists them"
  }

  /// The equivalent flag. Commands with several formats have `--format`; commands with one format besides text have
  /// `--json`.
  private var otherFormFlag: String? {
    let options = Self.options(of: command)
    switch name {
    case "--json" where options.contains("--format"): return "--format json"
    case "--format" where options.contains("--json"): return "--json"
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

  /// The similar options: those spelled almost the same, or else those that the name abbreviates, or else those whose
  /// words all occur in the name. `nil` if there are none, or more than three.
  private var similar: String? {
    let typed = Self.words(name)
    guard !typed.isEmpty else { return nil }
    let options = Self.options(of: command)
    let rules: [([String]) -> Bool] = [
      { Self.isAlike(typed.joined(), $0.joined()) },
      { option in typed.allSatisfy { word in option.contains { Self.isShort(word, for: $0) } } },
      { option in option.allSatisfy { word in typed.contains { Self.isShort(word, for: $0) } } },
    ]
    let found = rules.lazy.map { rule in options.filter { rule(Self.words($0)) } }
      .first { !$0.isEmpty }
    guard let found, found.count <= 3 else { return nil }
    return found.joined(separator: " or ")
  }

  /// Returns whether two words differ by at most one letter, or by two in long words. Words with fewer than three
  /// letters must be equal, because too many words resemble them.
  private static func isAlike(_ left: String, _ right: String) -> Bool {
    let limit = left.count < 3 ? 0 : left.count < 8 ? 1 : 2
    return Spelling.distance(left, right) <= limit
  }

  private static func isShort(_ word: String, for whole: String) -> Bool {
    word.count > 2 && whole.hasPrefix(word) || isAlike(word, whole)
  }

  private static func words(_ option: String) -> [String] {
    option.lowercased().split { "-_".contains($0) }.map(String.init)
  }

  /// Returns the long names in the left column of the command's help.
  private static func options(of command: any ParsableCommand.Type) -> [String] {
    Vadmon.helpMessage(for: command, columns: 1000).split(separator: "\n").compactMap { line in
      guard line.hasPrefix("  -") else { return nil }
      return line.split { " ,/".contains($0) }.first { $0.hasPrefix("--") }.map(String.init)
    }
  }
}
