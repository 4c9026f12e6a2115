import ArgumentParser
import SystemPackage

/// The declaration of `vadmon label`: its flags and their help.
struct LabelCommand: CheckedCommand {
  static let configuration = CommandConfiguration(
    commandName: "label",
    abstract: "Makes a page on which to label a recording.",
    discussion: """
      It finds the speech, writes the page of vadmon analyze --report with its label editor open, and prints the name of \
      the page. Open it in a browser, correct the labels, and save them there; vadmon compare and vadmon tune read what \
      it saves. The page plays the recording where it is, and needs no network. With a folder, the page has all of its \
      recordings.

      \(ExitStatus.help([
        ExitStatus.done: "done", ExitStatus.badData: "not audio",
        ExitStatus.noInput: "no such input",
        ExitStatus.unavailable: "ffmpeg or xdg-open is missing, or xdg-open failed",
      ])) With several recordings, the first failure decides; the page has the others.
      """ + examples.help)

  static let examples = [
    Example("vadmon label meeting.wav --open", "Label a recording in the browser"),
    Example(
      "vadmon label recordings/ --report label.html --embed-audio",
      "Make one page of many recordings to pass on, with their sound"),
    Example("vadmon compare labels/ found/", "Compare the labels with what was found"),
    Example("vadmon tune recordings/ labels/ --for f1", "Find the settings that suit them"),
  ]

  @Argument(help: "The recording, or a folder of recordings.")
  var recording: PathArgument

  @Option(
    "Write the page to FILE. (default: the recording's name with .html, in the current folder)",
    value: "FILE")
  var report: PathArgument?

  @Flag(help: "Open the page in the browser, with xdg-open.")
  var open = false

  @Flag(help: OpusEncoder.help)
  var embedAudio = false

  @Flag(help: "Replace the page if it exists.")
  var force = false

  @OptionGroup var selection: ChannelOptions

  @OptionGroup var settings: ConfigurationOptions

  @OptionGroup var messages: MessageOptions

  func checked() throws(RunError) -> LabelRun {
    let page = try page()
    guard force || !page.isTaken else {
      throw RunError(
        "\(printable(page)) exists already: name another page with --report, or add --force to replace it"
      )
    }
    if open { try PageOpening.checkIsInstalled() }
    return LabelRun(analysis: try analysis(page), page: page, opens: open)
  }

  private func page() throws(RunError) -> FilePath {
    let input = try recording.input()
    if input.isStandardStream {
      throw RunError(
        "vadmon label needs a recording that the page can play: name a file, not '-'")
    }
    if let report { return try report.file(for: "--report", ending: ".html") }
    var name = FilePath(root: nil, input.absolute.components.suffix(1))
    name.extension = "html"
    return name
  }

  /// Returns the analysis that the page shows, whose results go nowhere else. Recordings are labelled whole.
  private func analysis(_ page: FilePath) throws(RunError) -> AnalyzeOptions {
    guard var command = try? AnalyzeCommand.parse([]) else { fatalError("analyze has defaults") }
    command.input.inputs = [recording]
    command.input.selection = selection
    command.detector.decision.configuration = settings
    command.output.results.messages = messages
    command.output.pictures.waveform = .never
    command.output.force = force
    if embedAudio { try OpusEncoder.checkIsInstalled() }
    var options = try AnalyzeOptions(
      command, ignoring: [SettingKey.from.name, SettingKey.to.name])
    if !options.showsConfiguration { options.destination = .file("/dev/null") }
    (options.report, options.embedsAudio, options.isForLabels) = (page, embedAudio, true)
    return options
  }
}
