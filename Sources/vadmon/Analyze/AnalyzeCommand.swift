import ArgumentParser

/// The declaration of `vadmon analyze`: its flags and their help.
struct AnalyzeCommand: CheckedCommand {
  static let configuration = CommandConfiguration(
    commandName: "analyze",
    abstract: "Finds the speech in recordings.",
    discussion: """
      vadmon FILE… is short for vadmon analyze FILE…. If a file has the name of a command, write \
      ./live. Results go to standard output, messages to standard error. \(LengthArgument.help)

      Ctrl-C, SIGTERM and SIGHUP end the analysis: vadmon prints what it has found, completes all files, and ends as \
      the signal ends a program. A second one, or one while vadmon still collects the inputs, ends it at once.

      \(ExitStatus.help([
        ExitStatus.done: "done", ExitStatus.noSpeech: "no speech found (with --exit-code)",
        ExitStatus.badData: "not audio", ExitStatus.noInput: "no such input",
        ExitStatus.unavailable: "ffmpeg or rsvg-convert is missing",
        ExitStatus.commandFailed: "a program of --exec failed",
      ])) With several inputs, the first failure decides.
      """ + examples.help)

  static let examples = [
    Example(
      "vadmon analyze meeting.wav --save-segments pieces/ --split 30s --merge 1s",
      "Save the speech in pieces of at most 30 s, for Whisper"),
    Example("vadmon analyze meeting.wav --trim speech.flac", "Leave out the silence"),
    Example(
      "vadmon analyze recordings/ --format textgrid --output-dir grids/",
      "Write a TextGrid for Praat for each recording in a folder"),
    Example(
      "vadmon analyze call.wav --template '{start}\\t{end}\\t{stem}'",
      "Write lines of your own for another program"),
    Example(
      "vadmon analyze recordings/ --report report.html",
      "Make a page to see and hear what was decided"),
    Example("vadmon analyze call.wav --plot call.svg", "Draw a picture for a paper or an issue"),
    Example(
      "vadmon analyze call.wav --mute-timeline 0-3.5,10-",
      "Find where the user spoke while muted"),
    Example(
      "arecord -f S16_LE -r 16000 -t raw | vadmon analyze - --sample-format s16",
      "Read raw PCM from a microphone"),
    Example(
      "vadmon analyze recordings/ --frames frames/ --format file-jsonl",
      "Write the probability of every 10 ms, for vadmon compare"),
    Example("vadmon analyze meeting.wav --config my.json", "Take the settings from a file"),
  ]

  @OptionGroup var input: InputOptions
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Segments") var shaping: ShapingOptions
  @OptionGroup(title: "Segments") var inversion: InversionOptions
  @OptionGroup(title: "Segments") var commands: CommandOptions
  @OptionGroup(title: "Saved sound") var segments: SegmentOptions
  @OptionGroup(title: "Saved sound") var trim: TrimOptions
  @OptionGroup(title: "Muted speech") var mute: MuteOptions
  @OptionGroup(title: "Detector") var detector: DetectorOptions
  @OptionGroup(title: "Running") var running: RunOptions

  func checked() throws(RunError) -> AnalyzeRun {
    AnalyzeRun(options: try AnalyzeOptions(self))
  }

  func given() throws(RunError) -> GivenSettings {
    try detector.decision.configuration.given(
      input.settings + detector.settings + shaping.settings + inversion.settings + mute.settings())
  }
}
