// Writes vadmon's manual pages, one for each command, from the program's description of its own options.
//
//     vadmon --experimental-dump-help | swift Scripts/make-manual.swift "$(vadmon --version)" FOLDER
//
// The build runs this with Swift's interpreter, so that the pages have no further dependencies.

import Foundation

/// The parts of ArgumentParser's dump that a page shows.
struct Dump: Decodable {
  var command: Command
}

struct Command: Decodable {
  var commandName: String
  var abstract: String?
  var discussion: String?
  var defaultSubcommand: String?
  var shouldDisplay: Bool
  var arguments: [Argument]?
  var subcommands: [Command]?

  /// The discussion, and the examples at its end.
  var parts: (text: String?, examples: String?) {
    let parts = (discussion ?? "").components(separatedBy: "\n\nExamples:\n")
    return (parts[0].isEmpty ? nil : parts[0], parts.count > 1 ? parts[1] : nil)
  }

  var shownArguments: [Argument] { (arguments ?? []).filter(\.shouldDisplay) }
  var options: [Argument] { shownArguments.filter { $0.kind != "positional" } }
  var operands: [Argument] { shownArguments.filter { $0.kind == "positional" } }
  /// The commands without `help`, which every command also has as an option.
  var commands: [Command] {
    (subcommands ?? []).filter { $0.shouldDisplay && $0.commandName != "help" }
  }
}

struct Argument: Decodable {
  struct Name: Decodable {
    var kind: String
    var name: String
  }

  var kind: String
  var names: [Name]?
  var valueName: String
  var abstract: String?
  var discussion: String?
  var sectionTitle: String?
  var defaultValue: String?
  var allValues: [String]?
  var allValueDescriptions: [String: String]?
  var isOptional: Bool
  var isRepeating: Bool
  var shouldDisplay: Bool
}

/// Returns text that troff prints unchanged. Every hyphen may belong to an option, which must survive copying.
func escaped(_ text: String) -> String {
  let plain = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
  return plain.hasPrefix(".") || plain.hasPrefix("'") ? "\\&" + plain : plain
}

func bold(_ text: String) -> String { "\\fB\(escaped(text))\\fR" }
func italic(_ text: String) -> String { "\\fI\(escaped(text))\\fR" }

extension Argument {
  var term: String {
    if kind == "positional" { return italic(valueName) }
    // Short names come first, as in --help.
    let sorted =
      (names ?? []).filter { $0.kind == "short" } + (names ?? []).filter { $0.kind != "short" }
    let written = sorted.map { bold(($0.kind == "long" ? "--" : "-") + $0.name) }
    return written.joined(separator: ", ") + (kind == "option" ? " " + italic(valueName) : "")
  }

  var synopsis: String {
    let name = kind == "positional" ? italic(valueName) : term
    return (isOptional ? "[\(name)]" : name) + (isRepeating ? "..." : "")
  }

  /// The values that the text does not list, and the default.
  var remarks: [String] {
    let listed = allValueDescriptions == nil ? allValues ?? [] : []
    let values = listed.isEmpty ? [] : ["One of \(listed.map(bold).joined(separator: ", "))."]
    return values + (defaultValue.map { ["The default is \(bold($0))."] } ?? [])
  }

  var lines: [String] {
    var lines =
      [".TP", term] + [abstract, discussion].compactMap { $0 }.flatMap(paragraphs) + remarks
    guard let descriptions = allValueDescriptions else { return lines }
    lines.append(".RS")
    for value in allValues ?? [] {
      lines += [".TP", bold(value)] + paragraphs(descriptions[value] ?? "")
    }
    return lines + [".RE"]
  }
}

/// Returns the text as paragraphs. Lines that begin with two spaces are examples and keep their form; the others are
/// filled.
func paragraphs(_ text: String) -> [String] {
  var lines: [String] = []
  var isExample = false
  for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
    if line.hasPrefix("  ") != isExample, !line.isEmpty {
      isExample.toggle()
      lines.append(isExample ? ".EX" : ".EE")
    }
    lines.append(line.isEmpty ? ".PP" : escaped(String(line)))
  }
  return lines + (isExample ? [".EE"] : [])
}

/// Returns one line for whatis, without a capital or a full stop.
func summary(_ command: Command) -> String {
  let text = command.abstract ?? ""
  return escaped(text.prefix(1).lowercased() + text.dropFirst().trimmingSuffix("."))
}

extension Substring {
  func trimmingSuffix(_ suffix: String) -> Substring {
    hasSuffix(suffix) ? dropLast(suffix.count) : self
  }
}

/// Returns the options under the titles that --help uses, in the same order.
func optionSections(_ command: Command) -> [String] {
  var titles: [String?] = []
  for option in command.options where !titles.contains(option.sectionTitle) {
    titles.append(option.sectionTitle)
  }
  let general = command.options.filter { $0.sectionTitle == nil }
  var lines = [".SH OPTIONS"] + general.flatMap(\.lines)
  for title in titles.compactMap({ $0 }) {
    lines.append(".SS \(escaped(title))")
    lines += command.options.filter { $0.sectionTitle == title }.flatMap(\.lines)
  }
  return lines
}

struct Manual {
  var program: Command
  var version: String

  private func head(_ name: String, _ command: Command) -> [String] {
    [
      ".TH \(escaped(name.uppercased())) 1 \"\" \"\(escaped(version))\" \"User Commands\"",
      ".nh",
      ".ad l",
      ".SH NAME",
      "\(escaped(name)) \\- \(summary(command))",
      ".SH SYNOPSIS",
    ]
  }

  private func description(_ command: Command) -> [String] {
    guard let text = command.parts.text else { return [] }
    return [".SH DESCRIPTION"] + paragraphs(text)
  }

  private func examples(_ command: Command) -> [String] {
    guard let text = command.parts.examples else { return [] }
    return [".SH EXAMPLES"] + paragraphs(text)
  }

  var programPage: [String] {
    let name = program.commandName
    var lines = head(name, program) + ["\(bold(name)) \(italic("command")) [\(italic("options"))]"]
    lines += description(program) + [".SH COMMANDS"]
    if let usual = program.defaultSubcommand {
      lines.append("Without a command, \(bold(name)) runs \(bold(usual)).")
    }
    for command in program.commands {
      let page = bold("\(name)-\(command.commandName)")
      lines += [
        ".TP", bold(command.commandName), escaped(command.abstract ?? ""), "See \(page)(1).",
      ]
    }
    return lines + optionSections(program) + examples(program) + seeAlso(except: nil)
  }

  func page(_ command: Command) -> [String] {
    let usage = "\(bold("\(program.commandName) \(command.commandName)")) [\(italic("options"))]"
    let required = command.options.filter { !$0.isOptional }
    let words = [usage] + (required + command.operands).map(\.synopsis)
    var lines = head("\(program.commandName)-\(command.commandName)", command)
    lines.append(words.joined(separator: " "))
    lines += description(command)
    if !command.operands.isEmpty {
      lines += [".SH ARGUMENTS"] + command.operands.flatMap(\.lines)
    }
    return lines + optionSections(command) + examples(command) + seeAlso(except: command)
  }

  private func seeAlso(except shown: Command?) -> [String] {
    let others = program.commands.filter { $0.commandName != shown?.commandName }
    let names =
      (shown == nil ? [] : [program.commandName])
      + others.map { "\(program.commandName)-\($0.commandName)" }
    return [".SH SEE ALSO", names.map { "\(bold($0))(1)" }.joined(separator: ", ")]
  }

  func write(to folder: URL) throws {
    var pages = [program.commandName: programPage]
    for command in program.commands {
      pages["\(program.commandName)-\(command.commandName)"] = page(command)
    }
    for (name, lines) in pages {
      let file = folder.appendingPathComponent("\(name).1")
      try (lines.joined(separator: "\n") + "\n").write(to: file, atomically: true, encoding: .utf8)
    }
  }
}

guard CommandLine.arguments.count == 3 else {
  print("usage: vadmon --experimental-dump-help | make-manual.swift VERSION FOLDER")
  exit(64)
}
let dump = try JSONDecoder().decode(Dump.self, from: FileHandle.standardInput.readDataToEndOfFile())
try Manual(program: dump.command, version: CommandLine.arguments[1])
  .write(to: URL(fileURLWithPath: CommandLine.arguments[2]))
