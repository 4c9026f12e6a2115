import ArgumentParser

/// The declaration of `vadmon devices`: its flags and their help.
struct DevicesCommand: CheckedCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices",
    abstract: "Lists the microphones that can be opened.",
    discussion: """
      vadmon opens each device that ALSA knows, and asks for its rates, channels and formats. It \
      omits devices that it cannot open, perhaps because another program uses them, and devices \
      that do not answer within 2 s. docs/microphone.md covers permissions, containers and sound \
      servers.

      \(ExitStatus.help([
        ExitStatus.done: "there is a device", ExitStatus.unavailable: "there is none",
      ]))
      """ + examples.help)

  static let examples = [
    Example("vadmon devices", "List the microphones, for vadmon live --device NAME"),
    Example(
      "vadmon devices --all --json",
      "List every device, and why some cannot be opened, as JSON"),
  ]

  @Flag(help: "Also list the devices that cannot be opened, and why.")
  var all = false

  @Flag(help: "Print one JSON document.")
  var json = false

  @OptionGroup var results: ResultOptions

  func checked() throws(RunError) -> DevicesRun {
    DevicesRun(listsAll: all, writesJSON: json, output: try results.file())
  }
}
