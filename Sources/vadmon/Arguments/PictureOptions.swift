import ArgumentParser
import SystemPackage

/// Pictures of what was found.
struct PictureOptions: ParsableArguments {
  @Option(
    """
    Draw all recordings to FILE, one page for a browser that works without a network: to see, to hear, and to \
    try other settings.
    """, value: "FILE")
  var report: PathArgument?

  @Flag(help: OpusEncoder.help)
  var embedAudio = false

  @Option(
    "Draw the recording to FILE, whose name ends with .svg, or with .png (with rsvg-convert).",
    value: "FILE")
  var plot: PathArgument?

  @Option(
    help: ArgumentHelp(
      "Draw the waveform of each recording, with what was found under it, in --format text. auto does so on a terminal.",
      valueName: "auto|always|never"))
  var waveform = AutoChoice.auto

  func reportFile() throws(RunError) -> FilePath? {
    if embedAudio, report != nil { try OpusEncoder.checkIsInstalled() }
    guard let path = try report?.file(for: "--report", ending: ".html") else {
      guard !embedAudio else {
        throw RunError("--embed-audio puts the sound into a report: add --report FILE.html")
      }
      return nil
    }
    return path
  }
}

extension OutputOptions {
  /// Whether the text has waveforms. A waveform takes as many columns as the terminal has.
  var showsWaveform: Bool {
    guard (format ?? .text) == .text, template == nil else { return false }
    return switch pictures.waveform {
    case .always: true
    case .never: false
    case .auto:
      results.output == nil && outputDir == nil
        && Terminal.canMoveCursor(FileDescriptor.standardOutput.rawValue)
    }
  }
}
