import Annotations
import AudioInput
import Logging
import RealTime
import SystemPackage
import VoiceActivity

/// The checked options of `vadmon analyze`. All code behind the command line reads this value.
struct AnalyzeOptions: Sendable {
  enum Destination: Sendable, Hashable {
    case standardOutput
    case file(FilePath)
    /// One file for each input.
    case folder(FilePath)
  }

  var inputs: [FilePath]
  var filesFrom: FilePath?
  var nameSeparator: NameList.Separator
  /// The format of raw PCM on standard input.
  var rawFormat: RawPCMFormat
  /// The flags given for raw PCM.
  var raw: RawPCMOptions
  /// What is analysed of each recording.
  var part: PartBounds
  var channel: ChannelSelection
  var reference: Reference?
  /// The detector's settings, and where all settings come from.
  var settings: DetectorSettings
  var shaping: SegmentShaping
  /// Whether the silence is listed and saved in place of the speech.
  var isInverted: Bool
  /// The program to run for each segment.
  var command: CommandArgument?
  var mute: MuteTimeline
  /// How far below the user's own level muted speech is still the user's, in dB; infinite if that does not matter.
  var speakerMargin: Float
  /// What is saved of the sound, and where.
  var saving: SegmentSaving?
  var trimming: Trimming?
  var format: FormatName
  /// The template of the results' lines, which replaces the format.
  var template: TemplateArgument?
  var destination: Destination
  /// The folder for the hops of each input.
  var frames: FilePath?
  /// Whether to decide as a live host does; frame tables then have its decisions too.
  var isLive: Bool
  /// The page to draw for a browser; `nil` for none.
  var report: FilePath?
  /// Whether that page is for labelling. Its name may be made up, so it replaces a file only as derived names do.
  var isForLabels = false
  /// The picture to draw, as SVG or PNG; `nil` for none.
  var plot: FilePath?
  /// Whether the text has a waveform of each recording.
  var showsWaveform: Bool
  /// Whether the page has the sound in it.
  var embedsAudio: Bool
  /// Whether results replace existing files.
  var replacesFiles: Bool
  /// Whether inputs are left out that have results, and only complete results get a file.
  var skipsExisting: Bool
  var jobs: Int
  var showsConfiguration: Bool
  /// Whether the exit code is 0 even if inputs are missing or are not audio.
  var acceptsBad: Bool
  /// Whether the exit code is 1 if no speech was found.
  var reportsNoSpeech: Bool
  var isQuiet: Bool
  var color: AutoChoice
  var logLevel: Logger.Level?

  /// Where what a loudspeaker plays comes from.
  enum Reference: Sendable, Hashable {
    case file(FilePath)
    /// The file of the same name in a folder.
    case folder(FilePath)
    /// A channel of the recording itself, counted from 1.
    case channel(Int)
  }
}

extension AnalyzeOptions {
  /// - Parameter ignored: The names of settings that have no effect.
  init(_ command: AnalyzeCommand, ignoring ignored: Set<String> = []) throws(RunError) {
    let given = try command.given().leaving(out: ignored).separatingInversion()
    inputs = []
    for argument in command.input.inputs { inputs.append(try argument.input()) }
    filesFrom = try command.input.filesFrom?.input()
    nameSeparator = command.input.null ? .null : .line
    rawFormat = RawPCMFormat(
      rate: given[.rawRate], sampleFormat: given[.rawSampleFormat],
      channelCount: given[.rawChannels])
    raw = RawPCMOptions(
      rate: command.input.rate, sampleFormat: command.input.sampleFormat,
      channels: command.input.channels)
    part = try PartBounds(given)
    channel = given[.channel] ?? .mix
    reference = try command.input.checkedReference(beside: channel, given)
    settings = try DetectorSettings(given)
    shaping = try command.shaping.validated(given)
    isInverted = given[.invert] ?? false
    self.command = command.commands.exec
    saving = try command.segments.validated(channel: channel, trim: command.trim)
    trimming = try command.trim.validated(given, fade: command.segments.fade?.length)
    mute = given[.muteTimeline] ?? .never
    speakerMargin = try command.mute.speakerMargin(given)
    format = command.output.format ?? .text
    template = command.output.template
    destination = try command.output.destination()
    frames = try command.output.frames?.folder(for: "--frames")
    isLive = command.output.live
    report = try command.output.pictures.reportFile()
    plot = try PlotFile.name(command.output.pictures.plot)
    showsWaveform = command.output.showsWaveform
    embedsAudio = command.output.pictures.embedAudio
    replacesFiles = command.output.force
    skipsExisting = command.output.skipExisting
    jobs = command.running.jobCount
    showsConfiguration = command.detector.decision.configuration.showConfig
    acceptsBad = command.output.acceptBad
    reportsNoSpeech = command.output.exitCode
    isQuiet = command.output.results.quiet
    color = command.running.color
    logLevel = command.running.logLevel?.level ?? (command.running.verbose ? .debug : nil)
    if saving == nil {
      let naming =
        self.command?.has(.saved) == true
        ? "--exec" : template?.parts.contains(.field(.saved)) == true ? "--template" : nil
      if let naming {
        throw RunError(
          "\(naming) names {saved}, but no segment is saved: add --save-segments DIR")
      }
    }
    if trimming?.isStream == true { try leaveStandardOutput(to: command.output) }
    try checkFormat(command.output)
    try checkInputs()
  }

  /// Whether names on standard input are analysed as they arrive.
  ///
  /// They are not if the results need all names first: result files, whose names are checked before the analysis, and
  /// formats that cannot hold every recording or name.
  var streamsNames: Bool {
    filesFrom?.isStandardStream == true && destination == .standardOutput && frames == nil
      && report == nil && plot == nil && !savesSound
      && format.naming == .path && !format.opensRecordings
  }

  /// Whether what pictures show is collected.
  var needsPictures: Bool { report != nil || plot != nil || showsWaveform }

  /// The detector's settings. Each input's sample rate replaces `sampleRate`.
  var detector: VoiceActivityDetector.Configuration { settings.configuration }

  var savesSound: Bool { saving != nil || trimming != nil }

  /// The folder that receives one file for each input; `nil` if results go elsewhere.
  var outputFolder: FilePath? {
    if case .folder(let folder) = destination { folder } else { nil }
  }

  /// The file that receives all results; `nil` if they go elsewhere.
  var outputFile: FilePath? {
    if case .file(let file) = destination { file } else { nil }
  }

  /// All files that options name, to read or to write, but references.
  var namedFiles: [FilePath] {
    settings.given.files + [filesFrom, outputFile, report, plot].compactMap(\.self)
      + (trimming?.files ?? [])
  }

  /// The files of what played beside recordings.
  func references(beside recordings: [FilePath]) -> [FilePath] {
    recordings.compactMap { reference?.file(beside: $0) }
  }

  /// Keeps results from standard output, which is for sound: those that nobody asked for are left out.
  private mutating func leaveStandardOutput(to output: OutputOptions) throws(RunError) {
    let goesThere =
      destination == .standardOutput || outputFile?.namedDescriptor == .standardOutput
    guard goesThere else { return }
    guard output.format == nil, output.template == nil, output.results.output == nil else {
      throw RunError("--trim - takes standard output: add --output FILE for the results")
    }
    destination = .file("/dev/null")
  }

  private func checkFormat(_ output: OutputOptions) throws(RunError) {
    if skipsExisting, outputFolder == nil {
      throw RunError("--skip-existing looks for results in --output-dir: add --output-dir DIR")
    }
    if skipsExisting, reportsNoSpeech {
      throw RunError(
        "--exit-code cannot say whether there is speech in inputs that --skip-existing leaves out: choose one"
      )
    }
    if output.format != nil && output.template != nil {
      throw RunError("--format and --template exclude each other: choose one")
    }
    if format.joinsChannels, isInverted, channel == .each {
      throw RunError(
        "--format \(format.rawValue) holds what is silent in any channel: choose --channel any for what is silent in all"
      )
    }
    if format.opensRecordings, inputs.contains(where: \.isStandardStream) {
      throw RunError(
        "--format \(format.rawValue) names recordings for another program, which cannot open standard input by a name: use a file"
      )
    }
  }

  private func checkInputs() throws(RunError) {
    if case .file(let path) = reference, inputs.count > 1 || filesFrom != nil {
      throw RunError(
        "--reference \(path.nameAsInput) belongs to one recording: name one, or a folder of references"
      )
    }
    if case .channel = reference, inputs.contains(where: \.isStandardStream) {
      throw RunError(
        "--reference-channel reads a recording twice, which standard input cannot be: use a file")
    }
    if trimming != nil, inputs.count > 1 || filesFrom != nil || inputs.first?.type == .directory {
      throw RunError(
        "--trim writes one recording: name one input, or save the segments of all with --save-segments DIR"
      )
    }
    if nameSeparator == .null && filesFrom == nil {
      throw RunError("--null is for names: add --files-from FILE, or --files-from -")
    }
    if showsConfiguration { return }
    let standardInputs = inputs.filter(\.isStandardStream).count
    if standardInputs + (filesFrom?.isStandardStream == true ? 1 : 0) > 1 {
      throw RunError("standard input can be read only once: leave one '-' alone")
    }
    if inputs.isEmpty && filesFrom == nil {
      throw RunError(
        "name at least one recording or folder, or '-' for standard input")
    }
  }
}

extension PartBounds {
  fileprivate init(_ given: GivenSettings) throws(RunError) {
    self.init(
      start: (given[.from].map(MediaTime.init) ?? .zero).wholeHops,
      end: (given[.to] ?? nil).map(MediaTime.init))
    if let end, start >= end {
      let from = given[.from] == nil ? "" : " of \(given.phrase(.from))"
      throw RunError(
        "\(given.label(.to)) is \(end.seconds) s, which is not after the start, \(start.seconds) s\(from): nothing would be analysed; choose others"
      )
    }
  }
}

extension InputOptions {
  fileprivate func checkedReference(
    beside channel: ChannelSelection, _ given: GivenSettings
  ) throws(RunError) -> AnalyzeOptions.Reference? {
    if reference != nil && referenceChannel != nil {
      throw RunError("--reference and --reference-channel exclude each other: choose one")
    }
    guard let reference = try givenReference() ?? Self.reference(given) else { return nil }
    try given.checkReference(beside: channel)
    if case .channel(let number) = reference, channel == .channel(number) {
      throw RunError(
        "\(given.label(.reference)) and \(given.phrase(.channel)) are both channel \(number): choose another for one"
      )
    }
    return reference
  }

  private func givenReference() throws(RunError) -> AnalyzeOptions.Reference? {
    if let referenceChannel { return .channel(referenceChannel) }
    guard let path = try reference?.input() else { return nil }
    if path.isStandardStream { throw RunError("--reference needs a file or a folder, not '-'") }
    return AnalyzeOptions.Reference(path)
  }

  private static func reference(_ given: GivenSettings) -> AnalyzeOptions.Reference? {
    switch given[.reference] {
    case .name(let name)??: AnalyzeOptions.Reference(FilePath(name))
    case .channel(let number)??: .channel(number)
    case nil, .some(nil): nil
    }
  }
}

extension AnalyzeOptions.Reference {
  fileprivate init(_ path: FilePath) {
    self = path.type == .directory ? .folder(path) : .file(path)
  }

  /// Returns the file of what played beside a recording; `nil` if the recording has it in a channel.
  func file(beside recording: FilePath) -> FilePath? {
    switch self {
    case .file(let file): file
    case .folder(let folder): folder.appending(recording.lastComponent ?? "-")
    case .channel: nil
    }
  }
}

extension FilePath {
  /// Whether the path is `-`, which stands for standard input or output.
  var isStandardStream: Bool { self == "-" }
}
