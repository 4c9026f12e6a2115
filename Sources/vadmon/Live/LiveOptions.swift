import ALSAInput
import Annotations
import AudioInput
import RealTime
import SystemPackage
import VoiceActivity

/// The checked options of `vadmon live`.
struct LiveOptions: Sendable {
  enum Input: Sendable {
    case device(String, ALSASource.Configuration)
    /// A file that is played in real time.
    case file(FilePath)
    /// A recording, or raw PCM of this format.
    case standardInput(RawPCMFormat)

    /// The files that are read.
    var files: [FilePath] {
      switch self {
      case .device: []
      case .file(let path): [path]
      case .standardInput: ["-"]
      }
    }
  }

  /// The form of the meter, if there is a terminal to show it.
  enum MeterForm: Sendable, Hashable {
    /// One line, with the events above it.
    case line
    case full
  }

  /// The program to run for each event.
  struct Hook: Sendable, Hashable {
    var program: FilePath
    var arguments: [[UInt8]]
    /// The events that the program is run for; `nil` for all.
    var kinds: Set<LiveEvent.Name>?
    /// The time after which the program is ended.
    var timeLimit = defaultTimeLimit

    static let defaultTimeLimit = Duration.seconds(5)
  }

  /// The device whose sound is what the loudspeaker plays.
  struct Reference: Sendable, Hashable {
    /// The ALSA name, or ``defaultMonitor``.
    var device: String
    /// How long the microphone is held back, so that the reference has come.
    var latency = defaultLatency

    static let defaultLatency = Duration.milliseconds(100)
    static let longestLatency = Duration.milliseconds(1000)
    /// The monitor of the sound server's default output.
    static let defaultMonitor = "default-monitor"

    /// Whether it is that monitor, by our name or by PulseAudio's, which PipeWire does not know.
    var isDefaultMonitor: Bool {
      device == Self.defaultMonitor || device == SoundServer.Source.unnamedMonitor.deviceName
    }
  }

  /// What is saved of the speech.
  struct Segments: Sendable, Hashable {
    var saving: SegmentSaving
    var shaping: SegmentShaping

    /// What a listener wants to hear before and after the words.
    static let defaultPad = Duration.milliseconds(300)
  }

  typealias SpeakerLevel = VoiceActivityDetector.SpeakerLevel

  var input: Input
  var reference: Reference?
  /// Whether to wait for a device that cannot be opened yet.
  var waitsForDevice: Bool
  /// The flags given for raw PCM.
  var raw: RawPCMOptions
  var channel: ChannelSelection
  /// The detector's settings, and where all settings come from.
  var settings: DetectorSettings
  var startsMuted: Bool
  /// How far below the user's own level muted speech is still the user's, in dB; infinite if that does not matter.
  var speakerMargin: Float
  /// The user's own level to begin with; `nil` to learn it.
  var speakerLevel: SpeakerLevel?
  var duration: Duration?
  var isJSON: Bool
  /// The number of level records a second; `nil` for none.
  var levelRate: Int?
  /// The form that the user asked for; `nil` chooses one that fits the terminal.
  var meter: MeterForm?
  var isQuiet: Bool
  var color: AutoChoice
  var record: FilePath?
  var segments: Segments?
  var hook: Hook?

  var showsConfiguration: Bool

  /// The detector's settings. The input's sample rate replaces `sampleRate`.
  var detector: VoiceActivityDetector.Configuration { settings.configuration }

  /// Whether to open other inputs while the chosen device is silent. With `--quiet` nobody wants advice.
  var looksAtOtherInputs: Bool { if case .device = input { !isQuiet } else { false } }
}

extension LiveOptions {
  init(_ command: LiveCommand) throws(RunError) {
    let (input, output) = (command.input, command.output)
    let given = try command.given()
    channel = try Self.checkedChannel(given)
    self.input = try input.checked(channel)
    reference = try input.checkedReference(beside: channel, given)
    waitsForDevice = input.wait
    raw = RawPCMOptions(
      rate: input.rate, sampleFormat: input.sampleFormat, channels: input.channels)
    settings = try DetectorSettings(given)
    startsMuted = given[.muted] ?? false
    speakerMargin = SpeakerOptions.margin(given)
    // Has an effect at once, and yields to what is heard as soon as a level can.
    speakerLevel = (given[.speakerLevel] ?? nil).map {
      .init(dBFS: $0, learned: SpeakerLevel.leastLearned)
    }
    duration = input.duration?.duration
    isJSON = output.json
    levelRate = try output.checkedLevels()
    meter = try output.checkedMeter()
    isQuiet = output.quiet
    color = output.color
    record = try output.checkedRecord()
    segments = try command.checkedSegments(channel, given)
    hook = try output.checkedHook()
    showsConfiguration = command.detector.decision.configuration.showConfig
  }

  private static func checkedChannel(
    _ given: GivenSettings
  ) throws(RunError) -> ChannelSelection {
    let selection = given[.channel] ?? .mix
    guard selection != .each else {
      throw RunError(
        "\(given.label(.channel)) cannot be each in live: add --channel mix, any or its number")
    }
    return selection
  }
}

extension LiveCommand {
  fileprivate func checkedSegments(
    _ channel: ChannelSelection, _ given: GivenSettings
  ) throws(RunError) -> LiveOptions.Segments? {
    guard let saving = try segments.validated(channel: channel) else {
      guard let flag = shaping.givenFlag else { return nil }
      throw RunError("\(flag) is for --save-segments: add --save-segments DIR")
    }
    return LiveOptions.Segments(
      saving: saving, shaping: try shaping.validated(given, pad: LiveOptions.Segments.defaultPad))
  }
}

extension LiveInputOptions {
  fileprivate func checked(_ channel: ChannelSelection) throws(RunError) -> LiveOptions.Input {
    if let source, !source.path.isStandardStream {
      throw RunError("to listen to a file, write --input \(source.path.nameAsInput)")
    }
    let chosen: KeyValuePairs = [
      "-": source != nil, "--input": input != nil, "--device": device != nil,
    ]
    let flags = chosen.filter(\.value).map(\.key)
    guard flags.count <= 1 else {
      throw RunError("\(flags.joined(separator: " and ")) exclude each other: choose one")
    }
    if let input { return try file(input.input()) }
    if device == "" {
      throw RunError("--device cannot be empty: name one that vadmon devices lists")
    }
    return source == nil
      ? .device(device ?? "default", try capture(channel))
      : .standardInput(try raw(channel))
  }

  fileprivate func checkedReference(
    beside channel: ChannelSelection, _ given: GivenSettings
  ) throws(RunError) -> LiveOptions.Reference? {
    let known = reference == nil ? try Self.reference(given) : reference
    guard let device = known else {
      if referenceLatency != nil {
        throw RunError("--reference-latency is for --reference: name the device")
      }
      return nil
    }
    if source != nil || input != nil {
      throw RunError(
        "\(given.label(.reference)) is for a microphone: to analyse a file, use vadmon analyze --reference"
      )
    }
    if device == self.device ?? "default" {
      throw RunError(
        "\(printable(device)) is its own reference: name the monitor of the output that is heard")
    }
    try given.checkReference(beside: channel)
    var checked = LiveOptions.Reference(device: device)
    if let latency = given[.referenceLatency] ?? nil { checked.latency = latency }
    return checked
  }

  private static func reference(_ given: GivenSettings) throws(RunError) -> String? {
    switch given[.reference] {
    case .name(let name)??: return name
    case .channel(let number)??:
      throw RunError(
        "\(given.label(.reference)) cannot be \(number) in live: write a device's name, or null"
      )
    case nil, .some(nil): return nil
    }
  }

  private func file(_ path: FilePath) throws(RunError) -> LiveOptions.Input {
    if path.isStandardStream {
      throw RunError("--input needs a file; for standard input write '-' alone")
    }
    try refuseDeviceFlags("files")
    return .file(path)
  }

  private func raw(_ channel: ChannelSelection) throws(RunError) -> RawPCMFormat {
    try refuseDeviceFlags("standard input")
    return RawPCMFormat(
      rate: rate, sampleFormat: sampleFormat, channelCount: try checkedChannels(channel))
  }

  private func capture(
    _ channel: ChannelSelection
  ) throws(RunError) -> ALSASource.Configuration {
    if sampleFormat != nil {
      throw RunError(
        "--sample-format is for raw PCM, and a device is asked which formats it has: leave it out")
    }
    var configuration = ALSASource.Configuration()
    configuration.channels = channel
    configuration.channelCount = try checkedChannels(channel)
    if let rate { configuration.sampleRate = rate }
    if let period { configuration.period = try checked("--period", period, atMost: 1000) }
    if let buffer { configuration.buffer = try checked("--buffer", buffer, atMost: 10_000) }
    guard configuration.buffer >= configuration.period * 2 else {
      throw RunError(
        "--buffer \(LengthArgument(configuration.buffer)) holds less than two periods of "
          + "\(LengthArgument(configuration.period)): make it longer, or --period shorter")
    }
    return configuration
  }

  private func refuseDeviceFlags(_ input: String) throws(RunError) {
    if let flag = firstGiven([
      "--wait": wait, "--period": period != nil, "--buffer": buffer != nil,
    ]) {
      throw RunError("\(flag) is for devices, not for \(input): leave it out")
    }
  }

  private func checkedChannels(_ channel: ChannelSelection) throws(RunError) -> Int? {
    guard let channels else { return nil }
    if case .channel(let number) = channel, number > channels {
      throw RunError(
        "--channel \(number) is not among the --channels \(channels): write more --channels, or a smaller --channel"
      )
    }
    return channels
  }

  /// Returns the length, which must be from 1 ms to `limit` ms.
  private func checked(
    _ flag: String, _ length: LengthArgument, atMost limit: UInt64
  ) throws(RunError) -> Duration {
    guard 1...limit ~= length.length.milliseconds else {
      throw RunError("\(flag) cannot be '\(length)': write a length from 1ms to \(limit)ms")
    }
    return length.duration
  }
}

extension LiveOutputOptions {
  fileprivate func checkedLevels() throws(RunError) -> Int? {
    if levels != nil && !json { throw RunError("--levels is for --json: add it") }
    return levels
  }

  fileprivate func checkedMeter() throws(RunError) -> LiveOptions.MeterForm? {
    if line && full { throw RunError("--line and --full contradict each other: choose one") }
    if quiet && (line || full) {
      throw RunError(
        "--quiet and \(line ? "--line" : "--full") contradict each other: choose one")
    }
    return line ? .line : full ? .full : nil
  }

  fileprivate func checkedRecord() throws(RunError) -> FilePath? {
    guard let file = try record?.file(for: "--record", ending: ".wav") else { return nil }
    guard !MediaName.isRecording(file) || MediaName.isWAV(file) else {
      throw RunError("--record \(file.nameAsInput) would be a WAV: end the name with .wav")
    }
    return file
  }

  fileprivate func checkedHook() throws(RunError) -> LiveOptions.Hook? {
    guard let onEvent else {
      let flag = firstGiven([
        "--on-event-argument": !onEventArgument.isEmpty, "--on-event-kinds": onEventKinds != nil,
        "--on-event-timeout": onEventTimeout != nil,
      ])
      guard let flag else { return nil }
      throw RunError("\(flag) is for --on-event: name the program")
    }
    return LiveOptions.Hook(
      program: onEvent.path, arguments: onEventArgument.map(ArgumentBytes.bytes),
      kinds: onEventKinds,
      timeLimit: onEventTimeout?.duration ?? LiveOptions.Hook.defaultTimeLimit)
  }
}
