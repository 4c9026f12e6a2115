import ArgumentParser
import SystemPackage
import VoiceActivity

/// Runs the engine from the command line: on recordings, on microphones, against labels, and on traces of calls.
struct Vadmon: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "vadmon",
    abstract: "Detects whether somebody is speaking.",
    discussion: "vadmon FILE… means vadmon analyze FILE…, and -V means --version." + examples.help,
    version: "vadmon \(VoiceActivityDetector.version)",
    subcommands: [
      AnalyzeCommand.self, LiveCommand.self, DevicesCommand.self, LabelCommand.self,
      CompareCommand.self, TuneCommand.self, PauseCommand.self, BenchCommand.self,
    ],
    defaultSubcommand: AnalyzeCommand.self)

  static let examples = [
    Example("vadmon meeting.wav", "Find the speech in a recording"),
    Example("vadmon live", "Watch a microphone"),
    Example("vadmon label meeting.wav --open", "Correct what was found, in a browser"),
    Example("vadmon compare labels/ found/", "Measure how well detections agree with labels"),
    Example("vadmon help analyze", "Read all about a command"),
  ]

  /// The program and its version, as results name what wrote them.
  static let generator = configuration.version
}

extension Vadmon {
  /// Returns the command that the arguments ask for, or `analyze` if they name none. Throws ``RunError``, or a
  /// request for help.
  static func command(for arguments: [String]) throws -> any ParsableCommand {
    guard let word = arguments.first else { throw CleanExit.helpRequest() }
    if word == "-V" { return try command(for: ["--version"]) }
    try checkIsMeant(word)
    if word == "help", let topic = arguments.dropFirst().first { try checkIsTopic(topic) }
    do {
      let command = try parseAsRoot(arguments)
      guard command is any CheckedCommand else {
        guard let group = groupWithHelp(in: arguments) else { return command }
        throw RunError(UnknownOption(group, of: self.command(named: word)).sentence)
      }
      try RepeatedOption.check(arguments, of: type(of: command))
      return command
    } catch let error as RunError {
      throw error
    } catch {
      if exitCode(for: error) == .success {
        guard word.hasPrefix("--generate-completion-script") else { throw error }
        throw CleanExit.message(
          CompletionScript(fullMessage(for: error), commands: commands).text)
      }
      throw RunError(
        ParserMessage(message(for: error), of: self.command(named: word), arguments: arguments)
          .sentence)
    }
  }

  /// Returns the argument without which nobody asks for help: several letters with an h among them, probably the name
  /// of a file. Many programs take `-help`.
  private static func groupWithHelp(in arguments: [String]) -> String? {
    let place = arguments.firstIndex { word in
      word.hasPrefix("-") && !word.hasPrefix("--") && word.count > 2 && word.contains("h")
        && word != "-help"
    }
    guard let place else { return nil }
    var rest = arguments
    let group = rest.remove(at: place)
    let command = try? parseAsRoot(rest)
    return command.map { $0 is any CheckedCommand } ?? true ? group : nil
  }

  /// Returns the subcommand of this name, or the default one.
  private static func command(named name: String) -> any ParsableCommand.Type {
    configuration.subcommands.first { $0.configuration.commandName == name } ?? AnalyzeCommand.self
  }

  private static let commands =
    configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]

  /// Refuses a topic of `vadmon help` that is not a command.
  private static func checkIsTopic(_ word: String) throws(RunError) {
    if word.hasPrefix("-") || commands.contains(word) { return }
    let remedy =
      Spelling.nearest(to: word, among: commands, within: 2).map {
        "did you mean 'vadmon help \($0)'?"
      }
      ?? "vadmon --help lists the commands"
    throw RunError("there is no command '\(word)': \(remedy)")
  }

  /// Refuses a misspelled command, which would otherwise be taken for the name of a recording.
  private static func checkIsMeant(_ word: String) throws(RunError) {
    if word.hasPrefix("-") || word.contains("/") || commands.contains(word) { return }
    guard FilePath(bytes: ArgumentBytes.bytes(of: word)).type == nil,
      let command = word == "version"
        ? "--version" : Spelling.nearest(to: word, among: commands, within: 2)
    else { return }
    throw RunError(
      "'\(word)' is neither a file nor a command: did you mean 'vadmon \(command)'?")
  }
}
