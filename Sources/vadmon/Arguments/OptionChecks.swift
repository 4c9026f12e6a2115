import Annotations
import AudioInput
import Glibc
import RealTime
import SystemPackage

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

  /// How a file without a header is read.
  static let remedy = "raw PCM in a file is read by: vadmon - < FILE"

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
      \(raw.channelCount.inChannels)); --sample-format, --rate and --channels change this
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

extension GivenSettings {
  /// Throws if channels are kept apart beside a reference, which belongs to one microphone.
  func checkReference(beside channel: ChannelSelection) throws(RunError) {
    guard channel.keepsChannels else { return }
    throw RunError(
      "\(label(.reference)) belongs to one microphone, but \(phrase(.channel)) is \(channel): choose its channel"
    )
  }
}

extension InputOptions {
  var settings: [JSONValue.Member?] {
    let reference =
      referenceChannel.map(ReferenceSetting.channel)
      ?? self.reference.map { .name($0.path.string) }
    return [
      .init(.rawRate, given: rate), .init(.rawSampleFormat, given: sampleFormat),
      .init(.rawChannels, given: channels), .init(.channel, given: selection.channel),
      .init(.reference, given: reference.map(Optional.some)),
      .init(.from, given: from?.duration),
      .init(.to, given: to.map { .some($0.duration) }),
    ]
  }
}

extension ShapingOptions {
  var settings: [JSONValue.Member?] {
    [
      .init(.pad, given: pad?.duration), .init(.minSpeech, given: minSpeech?.duration),
      .init(.minSilence, given: minSilence?.duration),
      .init(.split, given: split.map { .some($0.duration) }),
    ]
  }

  /// - Parameter pad: The padding if none is given.
  func validated(
    _ given: GivenSettings, pad defaultPad: Duration = .zero
  ) throws(RunError) -> SegmentShaping {
    let standard = SegmentShaping.standard
    let shaping = SegmentShaping(
      pad: MediaTime(given[.pad] ?? defaultPad),
      minSpeech: given[.minSpeech].map(MediaTime.init) ?? standard.minSpeech,
      minSilence: given[.minSilence].map(MediaTime.init) ?? standard.minSilence,
      split: (given[.split] ?? nil).map(MediaTime.init))
    let least = shaping.shortestSplit.milliseconds
    if let split = shaping.split, split.milliseconds < least {
      throw RunError(
        "\(given.label(.split)) is \(split.milliseconds) ms, too short to have a pause to cut at\(given[.pad] == nil ? "" : " beside \(given.phrase(.pad))"): choose at least \(least) ms"
      )
    }
    return shaping
  }

  /// A flag that was given; `nil` if none was.
  var givenFlag: String? {
    firstGiven([
      "--pad": pad != nil, "--min-speech": minSpeech != nil, "--merge": minSilence != nil,
      "--split": split != nil,
    ])
  }
}

/// Returns the first of these flags that was given.
func firstGiven(_ flags: KeyValuePairs<String, Bool>) -> String? { flags.first { $0.value }?.key }

extension MuteOptions {
  func settings() throws(RunError) -> [JSONValue.Member?] {
    [.init(.muteTimeline, given: try timeline())] + speaker.settings
  }

  private func timeline() throws(RunError) -> MuteTimeline? {
    guard let muteTimeline else { return muted ? .always : nil }
    if muted { throw RunError("--muted and --mute-timeline contradict each other: choose one") }
    do {
      return try MuteTimeline(parsing: muteTimeline)
    } catch {
      throw RunError(
        "--mute-timeline cannot be '\(muteTimeline)': \(error); write it like 0-3.5,10-")
    }
  }

  /// The level is learned while unmuted and counts while muted, so that only a timeline has both.
  func speakerMargin(_ given: GivenSettings) throws(RunError) -> Float {
    let hasTimeline = !muted && given[.muteTimeline]?.intervals.isEmpty == false
    if speaker.speakerMargin != nil && !hasTimeline {
      throw RunError(
        "--speaker-margin is for --mute-timeline: add that, to say when the microphone is muted")
    }
    return SpeakerOptions.margin(given)
  }
}

extension OutputOptions {
  func destination() throws(RunError) -> AnalyzeOptions.Destination {
    guard let outputDir else {
      return try results.file().map(AnalyzeOptions.Destination.file) ?? .standardOutput
    }
    if results.output != nil {
      throw RunError("--output and --output-dir exclude each other: choose one")
    }
    return .folder(try outputDir.folder(for: "--output-dir"))
  }
}

extension RunOptions {
  var jobCount: Int { jobs ?? Self.coreCount }

  static var coreCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
}
