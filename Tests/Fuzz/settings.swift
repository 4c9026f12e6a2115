// Settings from a file of --config, from the user's file and from the variables VADMON_…, as `vadmon analyze` takes
// them. An even first byte: the rest is a file. An odd one: lines of variables, an empty line, and the user's file
// follow.
//
// What is refused gets one sentence that names where it comes from. What is accepted is shown by --show-config, and
// read back from there as the same settings.

import Annotations
import Glibc
import SystemPackage

@testable import vadmon

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = bytes(start, count)
  let commands = Commands.all
  guard let first = input.first else { return 0 }
  if first % 2 == 0 {
    _ = InputFile("named.json", holding: input.dropFirst())
    check(commands.named, from: ["named.json"])
    return 0
  }
  let lines = input.dropFirst().split(separator: newline, omittingEmptySubsequences: false)
  let variables = lines.prefix { !$0.isEmpty }.map(Variable.init)
  let file = lines.dropFirst(variables.count + 1).joined(separator: [newline])
  _ = InputFile("vadmon/config.json", holding: Array(file))
  for variable in variables { setenv(variable.name, variable.value, 1) }
  check(commands.user, from: ["vadmon/config.json", "VADMON_", "the environment"])
  for variable in variables { unsetenv(variable.name) }
  return 0
}

private let newline = UInt8(ascii: "\n")
private let equals = CChar(UInt8(ascii: "="))

/// The commands that read the files.
private struct Commands {
  let named, shown, user: AnalyzeCommand

  static let all = Commands()

  private init() {
    setenv(
      "XDG_CONFIG_HOME", FilePath(InputFile.makeFolder("vadmon")).removingLastComponent().string, 1)
    named = Self.reading("named.json")
    shown = Self.reading("shown.json")
    user = Self.command([])
  }

  private static func reading(_ name: String) -> AnalyzeCommand {
    command(["--no-config", "--config", InputFile(name, holding: []).path.string])
  }

  private static func command(_ options: [String]) -> AnalyzeCommand {
    do {
      return try AnalyzeCommand.parse(["--show-config", "--format", "json"] + options)
    } catch {
      fatalError("\(error)")
    }
  }
}

/// A variable of the process, without the bytes that would end it.
private struct Variable {
  let name, value: [CChar]

  init(_ line: some Collection<UInt8>) {
    let text = line.filter { $0 != 0 }.map { CChar(bitPattern: $0) }
    let (name, value) = (text.prefix { $0 != equals }, text.drop { $0 != equals }.dropFirst())
    self.name = "VADMON_".utf8.map(CChar.init) + name + [0]
    self.value = value + [0]
  }
}

private func check(_ command: AnalyzeCommand, from origins: [String]) {
  let options: AnalyzeOptions
  do throws(RunError) {
    options = try AnalyzeOptions(command)
  } catch {
    let isUsage = error.exitCode == ExitStatus.usage || error.exitCode == ExitStatus.badData
    require(isUsage, "\(error) has the exit code of wrong settings")
    require(origins.contains { error.messages[0].contains($0) }, "\(error) names its origin")
    return
  }
  let configuration = RunConfiguration(options).sourced(by: options.settings)
  require(!configuration.table.isEmpty, "settings are shown as text")
  _ = InputFile("shown.json", holding: Array(options.format.text(of: configuration).utf8))
  do throws(RunError) {
    check(options, readAs: try AnalyzeOptions(Commands.all.shown))
  } catch {
    require(false, "what is shown is read: \(error)")
  }
}

private func check(_ one: AnalyzeOptions, readAs other: AnalyzeOptions) {
  for (one, other) in zip(RunConfiguration(one).settings, RunConfiguration(other).settings) {
    require(one.name == other.name && one.json == other.json, "\(one) is read as \(other)")
  }
  require(one.detector == other.detector, "\(one.detector) is read as \(other.detector)")
  require(one.shaping == other.shaping, "\(one.shaping) is read as \(other.shaping)")
  require(one.part == other.part, "\(one.part) is read as \(other.part)")
  require(one.mute == other.mute, "\(one.mute) is read as \(other.mute)")
  require(one.reference == other.reference, "the reference is read back")
}
