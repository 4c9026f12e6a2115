import Annotations
import ArgumentParser
import RealTime
import SpeechScoring
import SystemPackage
import VoiceActivity

/// The checked options of `vadmon tune`.
struct TuneOptions: Sendable {
  /// The number of folds unless `--folds` gives one.
  static let folds = 5

  var recordings: FilePath
  var labels: FilePath
  var objective: TuningObjective
  /// The number of folds; `nil` for the default.
  var folds: Int?
  var channel: ChannelSelection
  /// The texts of labels that `--silence` adds to the known marks.
  var silence: [String]
  var missingIsSilence: Bool
  var bootstrap: Bootstrap
  var start: DecisionSettings
  var shaping: SegmentShaping
  /// The detector's settings, and where all settings come from.
  var settings: DetectorSettings
  var showsConfiguration: Bool
  var writtenConfiguration: FilePath?
  var format: FigureFormat
  /// The output file; `nil` for standard output.
  var output: FilePath?
  var isQuiet: Bool
  var jobs: Int

  /// What is compared with the labels.
  var view: PosteriorTrack.View {
    if case .onsetLatency = objective { .live } else { .segments(shaping) }
  }
}

extension TuneOptions {
  init(_ command: TuneCommand) throws(RunError) {
    recordings = try command.recordings.input()
    labels = try command.labels.input()
    objective = command.objective
    folds = command.folds
    silence = command.labelTexts.silence
    missingIsSilence = command.missingIsSilence
    bootstrap = Bootstrap(resamples: command.resamples, seed: command.seed)
    let given = try command.given()
    channel = given[.channel] ?? .mix
    settings = try DetectorSettings(given)
    start = DecisionSettings(settings)
    shaping = try command.shaping.validated(given)
    showsConfiguration = command.decision.configuration.showConfig
    writtenConfiguration = try command.writeConfig?.file(for: "--write-config", ending: ".json")
    format = command.format
    output = try command.results.file()
    isQuiet = command.results.quiet
    jobs = command.jobs ?? RunOptions.coreCount
    try check()
  }

  private func check() throws(RunError) {
    if recordings.isStandardStream || labels.isStandardStream {
      throw RunError("tune reads folders, not standard input: name them")
    }
    if channel.keepsChannels {
      throw RunError(
        "\(settings.given.label(.channel)) cannot be \(channel) in tune: add --channel mix or its number"
      )
    }
    try FileIdentity.checkDistinct([
      ("--output", output), ("--write-config", writtenConfiguration),
    ])
  }
}

extension DecisionSettings {
  init(_ settings: DetectorSettings) {
    let configuration = settings.configuration
    self.init(
      onset: configuration.onsetThreshold, offset: configuration.offsetThreshold,
      debounce: Int(configuration.onsetDebounce / .milliseconds(1)),
      hangover: Int(configuration.hangover / .milliseconds(1)))
  }
}

extension TuningObjective {
  /// Reads an objective: `f1`, `false-alarms=0.02` or `2%`, `latency=100ms`.
  init(parsing text: String) throws(ValueError) {
    let parts = text.lowercased().split(
      separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    switch (parts[0], parts.count) {
    case ("f1", 1): self = .f1
    case ("false-alarms", 2):
      guard let rate = Self.rate(parts[1]) else {
        throw ValueError(
          description: "write a share of the time above 0 and below 1, like false-alarms=0.02 or 2%"
        )
      }
      self = .falseAlarmRate(rate)
    case ("latency", 2):
      let length = try LengthArgument(parsing: String(parts[1])).length.milliseconds
      guard length > 0 else {
        throw ValueError(description: "write a length above 0, like latency=100ms")
      }
      self = .onsetLatency(Double(length))
    default:
      throw ValueError(description: "write f1, false-alarms=RATE or latency=LENGTH")
    }
  }

  private static func rate(_ text: Substring) -> Double? {
    let isPercent = text.hasSuffix("%")
    guard let number = decimal(Array((isPercent ? text.dropLast() : text).utf8)[...]) else {
      return nil
    }
    let rate = isPercent ? number / 100 : number
    return 0 < rate && rate < 1 ? rate : nil
  }
}
