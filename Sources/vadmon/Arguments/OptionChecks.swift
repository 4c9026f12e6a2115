import Annotations
import AudioInput
import Glibc
import RealTime

// Conversion of groups of flags into parts of AnalyzeOptions.

/// The flags for raw PCM that the user gave.
struct RawPCMOptions: Sendable, Hashable {
  /// Whether standard input is raw PCM, whatever its first bytes look like.
  var isCertain: Bool
  /// The flags that have no effect on recordings with a header.
  private var flags: [String]

  init(rate: Int?, sampleFormat: RawSampleFormat?, channels: Int?) {
    isCertain = sampleFormat != nil
    flags = [
      rate.map { "--rate \($0)" }, sampleFormat.map { "--sample-format \($0)" },
      channels.map { "--channels \($0)" },
    ].compactMap(\.self)
  }

  /// Returns "--rate 8000 and --channels 2 are for `subject` and have no effect", or `nil` if no flag was given.
  func warning(_ subject: String) -> String? {
    guard let last = flags.last else { return nil }
    guard flags.count > 1 else { return "\(last) is for \(subject) and has no effect" }
    return
      "\(flags.dropLast().joined(separator: ", ")) and \(last) are for \(subject) and have no effect"
  }

  /// Returns the warning for a recording with a header, or `nil` for raw PCM.
  func warning(for source: any RecordedSource) -> String? {
    if source.rawFormat != nil { return nil }
    return warning("raw PCM").map { "\($0): this is \(source.formatName)" }
  }

  /// Returns a note that a source is read as raw PCM of the default format, or `nil` if it is not or a flag was given.
  func note(for source: any RecordedSource) -> String? {
    guard flags.isEmpty, let raw = source.rawFormat else { return nil }
    return """
      \(source.name) is read as raw PCM (\(raw.sampleFormat), \(raw.sampleRate) Hz, \
      1 channel); --sample-format, --rate and --channels change this
      """
  }
}

extension RawPCMFormat {
  /// Creates the format that the options give. What they leave out is the default's.
  init(rate: Int?, sampleFormat: RawSampleFormat?, channelCount: Int?) {
    self.init()
    if let rate { sampleRate = rate }
    if let sampleFormat { self.sampleFormat = sampleFormat }
    if let channelCount { self.channelCount = channelCount }
  }
}

extension InputOptions {
  func rawFormat(_ file: SettingsFile) -> RawPCMFormat {
    RawPCMFormat(
      rate: rate ?? file[.rawRate], sampleFormat: sampleFormat ?? file[.rawSampleFormat],
      channelCount: channels ?? file[.rawChannels])
  }
}

extension ShapingOptions {
  /// - Parameter pad: The padding if neither an option nor the file gives one.
  func validated(
    _ file: SettingsFile, pad defaultPad: Duration = .zero
  ) throws(UsageError) -> SegmentShaping {
    let standard = SegmentShaping.standard
    let shaping = SegmentShaping(
      pad: MediaTime(pad?.duration ?? file[.pad] ?? defaultPad),
      minSpeech: minSpeech?.length ?? file[.minSpeech].map(MediaTime.init) ?? standard.minSpeech,
      minSilence: minSilence?.length ?? file[.minSilence].map(MediaTime.init)
        ?? standard.minSilence,
      split: split?.length ?? (file[.split] ?? nil).map(MediaTime.init))
    let least = shaping.shortestSplit.milliseconds
    if let split = shaping.split, split.milliseconds < least {
      let message = "is too short to have a pause to cut at: write at least \(least)"
      throw UsageError(
        self.split == nil
          ? "\(file.name): split_ms \(split.milliseconds) \(message)"
          : "--split \(split.milliseconds)ms \(message)ms")
    }
    return shaping
  }

  /// A flag that was given; `nil` if none was.
  var givenFlag: String? {
    let flags = [
      pad == nil ? nil : "--pad", minSpeech == nil ? nil : "--min-speech",
      minSilence == nil ? nil : "--merge", split == nil ? nil : "--split",
    ]
    return flags.compactMap(\.self).first
  }
}

extension MuteOptions {
  func timeline(_ file: SettingsFile) throws(UsageError) -> MuteTimeline {
    guard let muteTimeline else { return muted ? .always : file[.muteTimeline] ?? .never }
    if muted { throw UsageError("--muted and --mute-timeline contradict each other: choose one") }
    do {
      return try MuteTimeline(parsing: muteTimeline)
    } catch {
      throw UsageError(
        "--mute-timeline cannot be '\(muteTimeline)': \(error); write it like 0-3.5,10-")
    }
  }

  /// The level is learned while unmuted and counts while muted, so that only a timeline has both.
  func speakerMargin(_ file: SettingsFile) throws(UsageError) -> Float {
    let hasTimeline =
      muteTimeline != nil || !muted && file[.muteTimeline]?.intervals.isEmpty == false
    if speaker.speakerMargin != nil && !hasTimeline {
      throw UsageError("--speaker-margin is for --mute-timeline: add when the microphone is muted")
    }
    return speaker.margin(file)
  }
}

extension OutputOptions {
  func destination() throws(UsageError) -> AnalyzeOptions.Destination {
    guard let outputDir else {
      return results.file.map(AnalyzeOptions.Destination.file) ?? .standardOutput
    }
    if results.output != nil {
      throw UsageError("--output and --output-dir exclude each other: choose one")
    }
    return .folder(try outputDir.folder(for: "--output-dir"))
  }
}

extension RunOptions {
  var jobCount: Int { jobs ?? Self.coreCount }

  static var coreCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
}
