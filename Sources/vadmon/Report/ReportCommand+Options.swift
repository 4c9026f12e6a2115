import Annotations
import AudioInput
import Charts
import RealTime
import SystemPackage
import VoiceActivity

extension ReportCommand {
  /// The command line of a run without what the page changes itself: only options that decide what is found.
  init(_ options: AnalyzeOptions) {
    let preset = VoiceActivityDetector.Configuration(preset: options.settings.preset)
    let shaping = SegmentShaping.standard
    self.init(
      words: Self.inputWords(options) + Self.detectorWords(options),
      defaults: [
        "onset_threshold": .float(preset.onsetThreshold),
        "offset_threshold": .float(preset.offsetThreshold),
        "onset_debounce_ms": .integer(MediaTime(preset.onsetDebounce).milliseconds),
        "hangover_ms": .integer(MediaTime(preset.hangover).milliseconds),
        "pad_ms": .integer(shaping.pad.milliseconds),
        "min_speech_ms": .integer(shaping.minSpeech.milliseconds),
        "min_silence_ms": .integer(shaping.minSilence.milliseconds),
      ])
  }

  private static func inputWords(_ options: AnalyzeOptions) -> [String] {
    var words: [String] = []
    if options.part.start > .zero { words += ["--from", "\(options.part.start.seconds)s"] }
    if let end = options.part.end { words += ["--to", "\(end.seconds)s"] }
    if options.channel != .mix { words += ["--channel", options.channel.description] }
    switch options.reference {
    case .file(let path), .folder(let path): words += ["--reference", path.string]
    case .channel(let number): words += ["--reference-channel", "\(number)"]
    case nil: break
    }
    if options.raw.isCertain {
      let raw = options.rawFormat
      words += ["--rate", "\(raw.sampleRate)", "--sample-format", "\(raw.sampleFormat)"]
      words += ["--channels", "\(raw.channelCount)"]
    }
    return words
  }

  private static func detectorWords(_ options: AnalyzeOptions) -> [String] {
    let preset = options.settings.preset
    var words = options.settings.given.hasOwn ? ["--no-config"] : []
    if preset != .conversation { words += ["--preset", preset.rawValue] }
    if options.mute != .never { words += ["--mute-timeline", options.mute.description] }
    let (used, usual) = (options.detector, VoiceActivityDetector.Configuration())
    for setting in LengthSetting.all where !setting.isOfPreset {
      let length = used[keyPath: setting.place]
      if length != usual[keyPath: setting.place] {
        words += [setting.option, "\(LengthArgument(length))"]
      }
    }
    if options.mute != .never, options.speakerMargin != MarginArgument.standard.decibels {
      words += ["--speaker-margin", "\(MarginArgument(decibels: options.speakerMargin))"]
    }
    return words
  }
}
