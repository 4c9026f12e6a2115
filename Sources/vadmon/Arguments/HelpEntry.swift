import ArgumentParser

/// An option as the help of its command shows it. ArgumentParser tells nothing else about the options of a command.
struct HelpEntry {
  /// The names with their dashes.
  let names: [String]
  let takesValue: Bool
  /// Whether the option may be given several times, as its help says.
  var mayBeRepeated: Bool { text.contains("May be repeated.") }

  private var text: String

  /// Returns the options of a command.
  static func all(of command: any ParsableCommand.Type) -> [HelpEntry] {
    var entries: [HelpEntry] = []
    for line in Vadmon.helpMessage(for: command, columns: 1000).split(separator: "\n") {
      if line.hasPrefix("  -") {
        entries.append(HelpEntry(line))
      } else if line.hasPrefix("   "), !entries.isEmpty {
        // What did not fit beside the names.
        entries[entries.count - 1].text += line
      }
    }
    return entries
  }

  private init(_ line: Substring) {
    let words = line.split { " ,/".contains($0) }
    names = words.prefix { $0.hasPrefix("-") }.map(String.init)
    takesValue = words.dropFirst(names.count).first?.hasPrefix("<") ?? false
    text = String(line)
  }
}
