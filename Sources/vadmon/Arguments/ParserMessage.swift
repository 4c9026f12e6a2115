import ArgumentParser

/// ArgumentParser's message about a usage error, rewritten as one sentence that names the option and the remedy.
struct ParserMessage {
  private let text: String
  private let command: any ParsableCommand.Type
  private let arguments: [String]

  init(_ text: String, of command: any ParsableCommand.Type, arguments: [String]) {
    (self.text, self.command, self.arguments) = (text, command, arguments)
  }

  var sentence: String {
    if let name = quoted(after: "Unknown option '") {
      return UnknownOption(arguments.contains(name) ? name : group(with: name) ?? name, of: command)
        .sentence
    }
    if let value = badValue { return value }
    if let option = quoted(after: "Missing value for '") {
      return "\(Self.name(option)) needs a value: write \(Self.plain(option))"
    }
    if let option = quoted(after: "The option '") {
      return "\(option) takes no value: leave out what follows the ="
    }
    if let argument = quoted(after: "Missing expected argument '") {
      // ArgumentParser looks for unknown options last.
      return UnknownOption(among: arguments, of: command)?.sentence
        ?? "\(title) needs \(Self.required(argument)): write vadmon \(title) \(required)"
    }
    if let range = text.firstRange(of: "nexpected argument") {
      let arguments = text[range.upperBound...].drop { $0 != "'" }
      return "\(title) takes fewer arguments: leave out \(arguments)"
    }
    if text.hasPrefix("Can't ") {
      return "there are completions for three shells: write bash, zsh or fish"
    }
    let line = text.prefix { $0 != "\n" }
    return "\(title): \(line.prefix(1).lowercased())\(line.dropFirst()): \(help)"
  }

  /// The arguments that the command needs, such as `REFERENCE DETECTED`.
  private var required: String {
    let usage = Vadmon.usageString(for: command).split(separator: "\n").first ?? ""
    var depth = 0
    let needed = usage.filter { letter in
      depth += letter == "[" ? 1 : 0
      defer { depth -= letter == "]" ? 1 : 0 }
      return depth == 0
    }
    return Self.required(
      needed.split(separator: " ").drop { $0 != title }.dropFirst().joined(separator: " "))
  }

  /// Returns `--option NAME` or `NAME`.
  private static func required(_ text: String) -> String {
    text.split(separator: " ").map {
      $0.hasPrefix("<") ? plain(String($0)).uppercased() : String($0)
    }
    .joined(separator: " ")
  }

  private var title: String { command.configuration.commandName ?? "" }
  private var help: String { "vadmon \(title) --help shows what it takes" }

  /// Returns the text between this beginning and the next quote.
  private func quoted(after start: String) -> String? {
    text.hasPrefix(start) ? String(text.dropFirst(start.count).prefix { $0 != "'" }) : nil
  }

  /// The sentence for a bad value.
  ///
  /// ArgumentParser writes `The value '…' is invalid for '--option <NAME>'`, followed by nothing, by a colon and a
  /// reason, or by a list of valid values. The value itself may contain any text.
  private var badValue: String? {
    let (start, middle) = ("The value '", "' is invalid for '")
    guard text.hasPrefix(start), let link = text.firstRange(of: middle) else { return nil }
    let value = text[..<link.lowerBound].dropFirst(start.count)
    let rest = text[link.upperBound...]
    let option = String(rest.prefix { $0 != "'" })
    if let word = word(around: Self.name(option)) {
      return UnknownOption(word, of: command).sentence
    }
    let said = value.isEmpty ? "be empty" : "be '\(value)'"
    return "\(Self.name(option)) cannot \(said): "
      + Self.remedy(rest.dropFirst(option.count + 1), option)
  }

  /// Returns the argument that joins a short option to others in front of it: ArgumentParser then takes the next
  /// argument for its value.
  private func word(around option: String) -> String? {
    arguments.contains { $0.hasPrefix(option) } ? nil : group(with: option)
  }

  /// Returns the argument that has a short option among several letters.
  private func group(with option: String) -> String? {
    guard option.count == 2 else { return nil }
    return arguments.first {
      $0.hasPrefix("-") && !$0.hasPrefix("--") && $0.contains(option.dropFirst())
    }
  }

  private static func remedy(_ tail: Substring, _ option: String) -> String {
    if tail.hasPrefix(": ") { return String(tail.dropFirst(2)) }
    guard let list = tail.firstRange(of: "Please provide one of ") else {
      return option.hasPrefix("<") ? "write a name" : "write \(plain(option))"
    }
    let following = "the following:\n"
    var values = tail[list.upperBound...]
    if values.hasPrefix(following) { values = values.dropFirst(following.count) }
    let lines = values.split(separator: "\n").map { $0.trimmingPrefix("  - ") }
    let line = lines.joined(separator: ", ").filter { $0 != "'" }.replacing(" and ", with: " or ")
    return "write \(line.hasSuffix(".") ? String(line.dropLast()) : line)"
  }

  /// Returns `--option NAME`.
  private static func plain(_ option: String) -> String { option.filter { !"<>".contains($0) } }

  /// Returns `--option`, or `NAME` for an argument.
  private static func name(_ option: String) -> String {
    let words = plain(option).split(separator: " ")
    guard let first = words.first else { return option }
    return option.hasPrefix("<") ? first.uppercased() : String(first)
  }
}
