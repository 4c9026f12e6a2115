import ALSAInput
import Annotations
import ArgumentParser
import AudioInput
import RealTime
import VoiceActivity

/// The declaration of `vadmon live`: its flags and their help.
struct LiveCommand: CheckedCommand {
  static let configuration = CommandConfiguration(
    commandName: "live",
    abstract: "Listens to a microphone and reports when somebody speaks.",
    discussion: """
      On a terminal, a meter shows the level, the probability of speech, and why the sound counts \
      as speech or not. Keys: m mutes, space freezes the meter, q quits. Elsewhere, each event is a \
      line. Nothing is recorded unless --record or --save-segments asks for it; \
      saved segments have a --pad of \(LengthArgument(LiveOptions.Segments.defaultPad)) by default. SIGUSR1 mutes and SIGUSR2 unmutes.

      After 10 s of silence from a device, the other inputs are opened for half a second each, unless they are in use or \
      Bluetooth headsets, and one that has sound is named. --quiet leaves them alone.

      --on-event runs a program for each event, without a shell. Its environment contains \
      VADMON_EVENT (\(LiveEvent.Name.list)), VADMON_TIME and VADMON_DECIDED_AT in seconds, VADMON_VALUE, and \
      VADMON_MESSAGE. \
      Changes of state (\(LiveEvent.Name.stateList)) do not queue behind other events: only the \
      newest of each waits.

      Ctrl-C, SIGTERM, SIGHUP, a reader of the output that goes away and --duration end vadmon within half a second, \
      even if the device hangs. What was said so far is saved, and every file is completed.

      \(LengthArgument.help)

      \(ExitStatus.help([
        ExitStatus.done: "done, also after q", ExitStatus.badData: "not audio",
        ExitStatus.noInput: "no such input",
        ExitStatus.unavailable: "the device cannot be used, or ffmpeg is missing",
      ]))
      """ + examples.help)

  static let examples = [
    Example("vadmon live", "Watch the default microphone"),
    Example("vadmon live --save-segments takes/", "Save each utterance to a file as it ends"),
    Example(
      "vadmon live --muted --on-event-kinds muted_speech --on-event env",
      "Begin muted, and run a program when somebody speaks"),
    Example(
      "vadmon live --json --levels 10",
      "Print each event as JSON, and the level ten times a second"),
    Example(
      "vadmon live --reference default-monitor",
      "Tell the user's voice from what the computer plays"),
    Example(
      "vadmon live --input meeting.wav --config my.json",
      "Play a recording in real time, with settings from a file"),
  ]

  @OptionGroup var input: LiveInputOptions
  @OptionGroup(title: "Output") var output: LiveOutputOptions
  @OptionGroup(title: "Saved segments") var segments: SegmentOptions
  @OptionGroup(title: "Saved segments") var shaping: ShapingOptions
  @OptionGroup(title: "Detector") var detector: DetectorOptions

  func checked() throws(RunError) -> LiveRun {
    LiveRun(options: try LiveOptions(self))
  }

  func given() throws(RunError) -> GivenSettings {
    try detector.decision.configuration.given(
      input.settings + detector.settings + shaping.settings)
  }
}

/// The input of `vadmon live`.
struct LiveInputOptions: ParsableArguments {
  private static let capture = ALSASource.Configuration()
  private static let raw = RawPCMFormat()

  @Argument(help: "- reads a recording or raw PCM from standard input instead of a device.")
  var source: PathArgument?

  @Option(
    "The ALSA name of the device (default: default).",
    value: "NAME", name: [.customShort("d", allowingJoined: true), .long])
  var device: String?

  @Flag(
    help:
      "Wait for a device that is not there yet or is in use, as for one that disappears while vadmon listens."
  )
  var wait = false

  @Option("Play FILE in real time instead of a device.", value: "FILE")
  var input: PathArgument?

  @Option(
    "Sample rate to request from the device (default: \(capture.sampleRate)), or of raw PCM (default: "
      + "\(raw.sampleRate)).",
    value: "HZ", read: NumberArguments.whole(supportedSampleRates, " (Hz)"))
  var rate: Int?

  @Option(
    help: ArgumentHelp(
      """
      Sample format of raw PCM, named as in ffmpeg, sox or arecord (default: \(raw.sampleFormat)). \
      Standard input is then always read as raw PCM.
      """,
      valueName: "NAME"),
    completion: RawSampleFormat.completion, transform: RawSampleFormat.init(parsing:))
  var sampleFormat: RawSampleFormat?

  @Option(
    "Number of channels to request from the device (default: as few as needed), or of raw PCM "
      + "(default: \(raw.channelCount)).",
    value: "N", read: NumberArguments.whole(supportedChannelCounts))
  var channels: Int?

  @Option(
    "Listen to the mean of all channels (mix), to all channels, so that speech is where any of them has it (any), or to "
      + "channel N, counted from 1. (default: mix)",
    value: "mix|any|N", completion: .list(["mix", "any", "1", "2"]),
    read: ChannelSelection.reader("mix", "any"))
  var channel: ChannelSelection?

  @Option(
    "Period to request from the device (default: \(LengthArgument(capture.period))). Sound is fetched every "
      + "\(LengthArgument(capture.batch)), or once a period if that is longer.",
    value: "LENGTH", read: LengthArgument.init(parsing:))
  var period: LengthArgument?

  @Option(
    "How much sound the device buffers while the computer is busy (default: "
      + "\(LengthArgument(capture.buffer))).",
    value: "LENGTH", read: LengthArgument.init(parsing:))
  var buffer: LengthArgument?

  @Option(
    help: ArgumentHelp(
      """
      Treat the sound of this device as the loudspeaker beside the microphone, not as the user: the monitor of a sound \
      server, such as pulse:DEVICE=NAME.monitor, or default-monitor for that of the default output.
      """, valueName: "NAME"),
    transform: { name in
      guard !name.isEmpty else { throw ValueError(description: "write the name of a device") }
      return name
    })
  var reference: String?

  @Option(
    """
    How late the reference may come. The microphone is held back by it, and so is every decision (default: \
    \(LengthArgument(LiveOptions.Reference.defaultLatency))).
    """, value: "LENGTH", read: LengthArgument.parser(atMost: LiveOptions.Reference.longestLatency))
  var referenceLatency: LengthArgument?

  @Flag(help: "Begin muted, and report speech while muted.")
  var muted = false

  @OptionGroup var speaker: SpeakerOptions

  @Option(
    "Begin with this level of the user's speech, which an earlier run learned of the same user at the same microphone "
      + "and gain: speaker_level_dbfs in its last JSON record, or what its meter showed.",
    value: "DBFS", read: NumberArguments.speakerLevel)
  var speakerLevel: Float?

  @Option(
    "Stop after this time by the clock, however much sound has come: 30s, 10m, 8h.",
    value: "LENGTH", read: MediaTime.span)
  var duration: MediaTime?

  var settings: [JSONValue.Member?] {
    [
      .init(.channel, given: channel),
      .init(.reference, given: reference.map { .some(.name($0)) }),
      .init(.referenceLatency, given: referenceLatency.map { .some($0.duration) }),
      .init(.muted, given: muted ? true : nil),
      .init(.speakerLevel, given: speakerLevel.map(Optional.some)),
    ] + speaker.settings
  }
}

/// The output of `vadmon live`.
struct LiveOutputOptions: ParsableArguments {
  @Flag(help: "Print each event as a line of JSON.")
  var json = false

  @Option(
    "With --json: print the level and the probability this many times a second, from 1 to 50.",
    value: "HZ", read: NumberArguments.whole(1...50, " (the detector decides every 20 ms)"))
  var levels: Int?

  @Flag(help: "Show the meter as one line, with the events above it.")
  var line = false

  @Flag(help: "Show the whole meter (the default on a terminal).")
  var full = false

  @Flag(name: .shortAndLong, help: "Show no meter, no summary and no warnings.")
  var quiet = false

  @Option(
    help: "Colour the text. auto does so on a terminal, unless NO_COLOR is set or TERM is dumb.")
  var color = AutoChoice.auto

  @Option(
    "Record what the detector hears to FILE, a WAV file that must not exist yet.", value: "FILE")
  var record: PathArgument?

  @Option("Run PROGRAM for each event, one at a time.", value: "PROGRAM")
  var onEvent: PathArgument?

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Pass TEXT to PROGRAM as an argument, unchanged. May be repeated.",
      valueName: "TEXT"))
  var onEventArgument: [String] = []

  @Option(
    help: ArgumentHelp(
      "Run PROGRAM only for these events, such as muted_speech,device (default: all).",
      valueName: "KIND,…"),
    transform: Set<LiveEvent.Name>.init(parsing:))
  var onEventKinds: Set<LiveEvent.Name>?

  @Option(
    "End PROGRAM if it runs longer than this (default: \(LengthArgument(LiveOptions.Hook.defaultTimeLimit))).",
    value: "LENGTH", read: MediaTime.span)
  var onEventTimeout: MediaTime?
}

extension Set<LiveEvent.Name> {
  /// Reads names of events, separated by commas.
  init(parsing text: String) throws(ValueError) {
    self = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let name = LiveEvent.Name(rawValue: part.lowercased()) else {
        throw ValueError(
          description: "choose from \(LiveEvent.Name.list), with commas between them")
      }
      insert(name)
    }
  }
}
