import ArgumentParser
import VoiceActivity

@main
struct Vadmon: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "vadmon",
    abstract: "Finds out whether somebody speaks.",
    version: VoiceActivityDetector.version)
}
