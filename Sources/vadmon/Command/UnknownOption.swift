import ArgumentParser

/// An option that a command does not have, and what to write instead.
struct UnknownOption {
  private let name: String
  private let command: any ParsableCommand.Type

  /// `nil` unless ArgumentParser's message is about such an option.
  init?(in message: String, command: any ParsableCommand.Type) {
    let start = "Unknown option '"
    guard message.hasPrefix(start) else { return nil }
    name = String(message.dropFirst(start.count).prefix { $0 != "'" })
    self.command = command
  }

  var sentence: String {
    let title = command.configuration.commandName ?? ""
    let remedy =
      similar.map { "did you mean \($0)?" }
      ?? owner?.configuration.commandName.map { "leave it out; it belongs to \($0)" }
      ?? "vadmon \(title) --help lists those that it has"
    return "\(title) has no option \(name): \(remedy)"
  }

  /// Options that have all words of the unknown one, give or take a letter in four; none where another command has the
  /// very option.
  private var similar: String? {
    let parts = Self.parts(name)
    guard owner == nil, !parts.isEmpty else { return nil }
    let options = Self.options(of: command).filter { option in
      parts.allSatisfy { part in
        Spelling.nearest(to: part, among: Self.parts(option), within: part.count / 4) != nil
      }
    }
    return options.isEmpty || options.count > 3 ? nil : options.joined(separator: " or ")
  }

  /// Another command that has this very option.
  private var owner: (any ParsableCommand.Type)? {
    Vadmon.configuration.subcommands.first { Self.options(of: $0).contains(name) }
  }

  private static func parts(_ option: String) -> [String] {
    option.split(separator: "-").map(String.init)
  }

  /// The long names that the command's help lists in its left column.
  private static func options(of command: any ParsableCommand.Type) -> [String] {
    Vadmon.helpMessage(for: command, columns: 1000).split(separator: "\n").flatMap { line in
      let entry = line.drop { $0 == " " }
      guard entry.hasPrefix("-") else { return [String]() }
      return entry.split(whereSeparator: { " ,/".contains($0) }).prefix { $0 != "<" }
        .filter { $0.hasPrefix("--") }.map(String.init)
    }
  }
}
