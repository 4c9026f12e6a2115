import ArgumentParser
import VoiceActivity

struct Vadmon: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "vadmon",
    abstract: "Finds out whether somebody speaks.",
    version: "vadmon \(VoiceActivityDetector.version)",
    subcommands: [
      AnalyzeCommand.self, LiveCommand.self, DevicesCommand.self, CompareCommand.self,
      PauseCommand.self,
    ])
}
