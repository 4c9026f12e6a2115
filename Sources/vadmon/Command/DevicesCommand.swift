import ArgumentParser

/// The declaration of `vadmon devices`: its flags and their help.
struct DevicesCommand: CheckedCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices",
    abstract: "Lists the microphones that can be opened.",
    discussion: """
      Each device that ALSA knows is opened and asked for its rates, channels and formats; what \
      cannot be opened is left out. One that another program listens to may be among those, and \
      one that does not answer within 2 s is. docs/microphone.md has permissions, containers and \
      sound servers.

      Exit codes: 0 there is a device; 64 wrong usage; 69 there is none; 74 writing failed.
      """)

  @Flag(help: "List what cannot be opened too, and why.")
  var all = false

  @Flag(help: "Print one JSON document.")
  var json = false

  @OptionGroup var results: ResultOptions

  func checked() -> DevicesRun {
    DevicesRun(
      listsAll: all, writesJSON: json, output: results.file, isQuiet: results.quiet)
  }
}
