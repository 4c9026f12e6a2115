import ArgumentParser

/// The declaration of `vadmon pause`: its flags and their help.
struct PauseCommand: CheckedCommand {
  static let configuration = CommandConfiguration(
    commandName: "pause",
    abstract: "Shows which videos a subscriber receives, which are paused, and why.",
    discussion: """
      TRACE is JSON Lines. Each line is an input of the video-pause coordinator, with its time; \
      docs/vadmon-pause.md describes them all. The results are JSON Lines as well and are written as \
      soon as they are known: a config record, decisions, changes of the paused tracks and of the \
      received streams, and a summary.

      \(ExitStatus.help([
        ExitStatus.done: "done", ExitStatus.badData: "a bad line",
        ExitStatus.noInput: "no such trace",
      ]))
      """ + examples.help)

  static let examples = [
    Example(
      "vadmon pause call.jsonl --summary",
      "Summarise a call: toggles, time paused, use of capacity"),
    Example(
      "vadmon pause call.jsonl --plot call.svg --output decisions.jsonl",
      "Draw the call, and write every decision to a file"),
  ]

  @Argument(help: "The trace, or - for standard input.")
  var trace: PathArgument

  @Flag(help: "Print a readable summary instead: toggles, time paused, use of capacity.")
  var summary = false

  @Option(
    "Plot the estimate, the budget, allocations and pauses over time in FILE, whose name ends with .svg, or with .png "
      + "(with rsvg-convert).",
    value: "FILE")
  var plot: PathArgument?

  @OptionGroup var results: ResultOptions

  func checked() throws(RunError) -> PauseRun {
    PauseRun(options: try PauseOptions(self))
  }
}
