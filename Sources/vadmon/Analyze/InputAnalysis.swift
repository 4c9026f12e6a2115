import Annotations
import AudioInput
import Charts
import Logging
import RealTime
import SystemPackage
import VoiceActivity

/// The analysis of one input, from opening to end. Several analyses run at the same time, each on its own thread.
struct InputAnalysis: Sendable {
  let options: AnalyzeOptions
  let files: ResultFiles
  let shelf: PictureShelf
  let commands: SegmentCommands?
  let interruption: Interruption
  let messages: Messages
  let progress: ProgressBar?
  let logger: Logger?

  /// Analyses `input` and passes its records to `emit` as they become known.
  ///
  /// `index` is the position of the input among all inputs.
  func run(_ input: Input, index: Int, emit: (Record) -> Void) {
    defer { progress?.finish(input: index) }
    do {
      var source: any RecordedSource = try openUnlessInterrupted(input)
      if options.part != .whole { source = RecordingPart(source, options.part) }
      if options.savesSound { source = try SeparatedRecording(source, selecting: microphone) }
      emit(.input(InputRecord(file: input.name, source)))
      if let note = options.raw.note(for: source) { messages.note(note) }
      interruption.watch(source, stop: source.stop)
      defer { interruption.forget(source) }
      try analyse(source, input, index, emit)
    } catch AudioInputError.noSound(let name) where input.isFound {
      logger?.info("\(name): passed over, it has no audio track")
    } catch {
      if EndingSignals.requestEnd(ifReaderHasGone: error) { return }
      let record = ErrorRecord(file: input.name, explained(error, input))
      if options.needsPictures { shelf.put([ReportRecording(record)], of: index) }
      emit(.error(record))
    }
  }

  private func openUnlessInterrupted(_ input: Input) throws -> any RecordedSource {
    // Until there is a source to stop, opening may wait for a pipe or for ffmpeg.
    var waitedFor: [AnyObject] = []
    defer { for owner in waitedFor { interruption.forget(owner) } }
    do {
      return try open(input) { _, owner, stop in
        waitedFor.append(owner)
        interruption.watch(owner, stop: stop)
      }
    } catch  where interruption.isInterrupted && !waitedFor.isEmpty {
      throw ErrorRecord(interrupted: input)
    }
  }

  /// The channel of the microphone: beside a reference in the same recording, the other one of two.
  private var microphone: ChannelSelection {
    guard case .channel(let number) = options.reference, options.channel == .mix else {
      return options.channel
    }
    return .channel(number == 1 ? 2 : 1)
  }

  private func open(_ input: Input, waiting: @escaping AudioFileSource.Waiting) throws
    -> any RecordedSource
  {
    switch input {
    case .file(let path), .found(let path): try open(path, waiting)
    case .listed(let path):
      // A path whose type cannot be read cannot be opened either; `open` reports the reason.
      switch path.type {
      case .regular?, .directory?, nil: try open(path, waiting)
      default: throw ErrorRecord(notRegular: path)
      }
    case .standardInput:
      try AudioFileSource(
        try ByteStream(.standardInput, name: "standard input"), rawFormat: options.rawFormat,
        isRaw: options.raw.isCertain, channels: readChannels, logger: logger, waiting: waiting)
    case .unusable(let error): throw error
    }
  }

  private func open(
    _ path: FilePath, _ waiting: @escaping AudioFileSource.Waiting
  ) throws -> any RecordedSource {
    try AudioFileSource(path: path, channels: readChannels, logger: logger, waiting: waiting)
  }

  /// All channels if some of the sound is saved.
  private var readChannels: ChannelSelection { options.savesSound ? .each : microphone }

  private func analyse(
    _ source: any RecordedSource, _ input: Input, _ index: Int, _ pass: (Record) -> Void
  ) throws {
    let reference = try openReference(source, input)
    let pictures = InputPictures(of: input, options, interruption)
    let channels = try makeChannels(source, input, reference, pictures)
    let saver = try (source as? SeparatedRecording).map {
      try InputSaver(options, files, input, $0, analysisCount: channels.count, interruption)
    }
    var segmentCount = 0
    func emit(_ record: Record, of finding: ChannelAnalysis.Finding) {
      if !finding.isSilence { pictures?.note(record) }
      guard finding.isListed(isInverted: options.isInverted) else { return }
      pass(record)
      guard case .segment(let span) = record else { return }
      segmentCount += 1
      commands?.put(span, index: segmentCount, of: input, saved: saver?.newest)
    }
    var tally = FileTally(
      file: input.name, channel: options.channel, rate: source.sampleRate, saver: saver,
      isInverted: options.isInverted)
    var failure = read(source, channels, saver, index, &tally, emit)
    if failure == nil, let complaint = complaint(input, tally.frames) { throw complaint }
    let isInterrupted = interruption.isInterrupted && !source.hasEnded
    for (number, channel) in channels.enumerated() {
      let frames = channel.finish { emit(tally.record($0, channel: number), of: $0) }
      if options.skipsExisting, isInterrupted || failure != nil { continue }
      do { try frames?.finish() } catch { failure = failure ?? error }
    }
    let isWhole = failure == nil && !interruption.isInterrupted
    do { try saver?.finish(isWhole ? options.part.start + tally.duration : nil) } catch {
      failure = failure ?? error
    }
    failure = failure ?? reference?.failure
    let isDone = !options.skipsExisting || commands?.haveSucceeded(for: input) != false
    var warnings = soundWarnings(source, input, channels)
    warnings += (saver?.warnings ?? []) + (reference?.warnings ?? [])
    if isInterrupted {
      let end = options.part.start + tally.duration
      warnings.append("interrupted at \(end.seconds) s: what follows was not analysed")
    } else if !isDone, !interruption.isInterrupted {
      warnings.append("the program of --exec failed, so that there is no result")
    }
    let reason = failure.map { ErrorRecord(file: input.name, $0).message }
    do throws(ErrorRecord) {
      let shown = try pictures?.finish(
        tally.frames, rate: source.sampleRate, failure: reason, warnings: warnings)
      if let shown { shelf.put(shown, of: index) }
    } catch {
      failure = failure ?? error
    }
    if let error = failure, EndingSignals.requestEnd(ifReaderHasGone: error) { failure = nil }
    if let failure { pass(.error(ErrorRecord(file: input.name, failure))) }
    var record = tally.record(
      source, echo: reference?.status, warnings: warnings, isWhole: failure == nil && isDone)
    record.isInterrupted = isInterrupted
    record.containerStart = source.containerStart
    pass(.file(record))
  }

  private func soundWarnings(
    _ source: any RecordedSource, _ input: Input, _ channels: [ChannelAnalysis]
  ) -> [String] {
    let flags = input == .standardInput ? options.raw.warning(for: source) : nil
    let nonFinite = channels.reduce(0) { $0 + $1.nonFiniteSamples }
    return source.warnings.map(\.description) + (flags.map { [$0] } ?? [])
      + (nonFinite > 0 ? [Self.warning(nonFiniteSamples: nonFinite)] : [])
  }

  static func warning(nonFiniteSamples count: UInt64) -> String {
    count == 1
      ? "1 sample is not a number (NaN or infinite) and counts as silence"
      : "\(count) samples are not numbers (NaN or infinite) and count as silence"
  }

  /// Reads to the end or to the first failure, which it returns. What was found before a failure remains valid.
  private func read(
    _ source: any RecordedSource, _ channels: [ChannelAnalysis], _ saver: InputSaver?, _ index: Int,
    _ tally: inout FileTally, _ emit: (Record, ChannelAnalysis.Finding) -> Void
  ) -> (any Error)? {
    var block = PCMBlock(channelCount: source.channelCount)
    do {
      while try source.read(into: &block) {
        if let recording = source as? SeparatedRecording { saver?.append(block, of: recording) }
        for (number, channel) in channels.enumerated() {
          channel.skip(block.missingFrames) { emit(tally.record($0, channel: number), $0) }
          channel.process(block) { emit(tally.record($0, channel: number), $0) }
          saver?.advance(channel.beginning, channel: number)
        }
        tally.frames += UInt64(block.frameCount) + block.missingFrames
        progress?.advance(input: index, source, by: block.frameCount, to: tally.frames)
      }
      return nil
    } catch {
      return error
    }
  }

  /// Why there is nothing to analyse; `nil` if there is something, or if nobody asked for a part.
  private func complaint(_ input: Input, _ frames: UInt64) -> ErrorRecord? {
    guard options.part.start > .zero, frames == 0, !interruption.isInterrupted else { return nil }
    return ErrorRecord(
      file: input.name,
      message:
        "\(RecordingName.shown(input.name)) has no sound after \(options.part.start.seconds) s (\(options.settings.given.phrase(.from))): choose an earlier start",
      exitCode: ExitStatus.badData)
  }

  /// Opens what the loudspeaker played; `nil` if nobody named it.
  private func openReference(
    _ source: any RecordedSource, _ input: Input
  ) throws -> ReferenceTrack? {
    guard let reference = options.reference, let path = input.path else { return nil }
    let played: any RecordedSource
    var channel: Int?
    if let file = reference.file(beside: path) {
      played = try open(reference: file, of: path, input)
    } else {
      guard case .channel(let number) = reference else { return nil }
      let count = source.inputChannelCount
      guard number <= count else {
        let remedy = count == 1 ? Self.oneChannel : "choose one of its \(count) channels"
        throw ErrorRecord(
          file: input.name,
          message: "\(input.name) has no channel \(number) for the reference: \(remedy)",
          exitCode: ExitStatus.badData)
      }
      played = try AudioFileSource(path: path, channels: .channel(number), logger: logger)
      channel = number
    }
    return try ReferenceTrack(
      options.part == .whole ? played : RecordingPart(played, options.part),
      channel: channel, recordingRate: source.sampleRate, from: options.part.start)
  }

  private static let oneChannel = "it has only one: name a --reference"

  /// Returns an error in the words of the options: the channel beside a reference was not named by the user.
  private func explained(_ error: any Error, _ input: Input) -> any Error {
    guard case AudioInputError.noSuchChannel? = error as? AudioInputError,
      microphone != options.channel
    else { return error }
    return ErrorRecord(
      file: input.name,
      message: "\(input.name) has no channel beside the reference: \(Self.oneChannel)",
      exitCode: ExitStatus.badData)
  }

  /// Opens a reference in a file of its own, which must not be the recording: beside itself, all of it would be echo.
  private func open(
    reference: FilePath, of path: FilePath, _ input: Input
  ) throws -> any RecordedSource {
    if let identity = FileIdentity(read: path), identity == FileIdentity(reference) {
      throw ErrorRecord(
        file: input.name,
        message:
          "\(input.name) is its own reference: name a recording of what the loudspeaker played",
        exitCode: ExitStatus.usage)
    }
    do {
      return try AudioFileSource(path: reference, channels: .each, logger: logger)
    } catch {
      throw ErrorRecord(referenceOf: input, error)
    }
  }

  private func makeChannels(
    _ source: any RecordedSource, _ input: Input, _ reference: ReferenceTrack?,
    _ pictures: InputPictures?
  ) throws -> [ChannelAnalysis] {
    var configuration = options.detector
    configuration.sampleRate = source.sampleRate
    return try (0..<options.channel.analysisCount(of: source)).map { index in
      let channels = options.channel == .any ? 0..<source.channelCount : index..<index + 1
      let path = files.frameTable(of: input, channel: options.channel == .each ? index + 1 : nil)
      return try ChannelAnalysis(
        channels: channels, configuration: configuration, shaping: options.shaping,
        findsSilence: options.isInverted, mute: options.mute, speakerMargin: options.speakerMargin,
        isLive: options.isLive,
        isJoint: options.channel == .any,
        from: options.part.startFrame(rate: source.sampleRate),
        frames: path.map { path throws(OutputError) in
          FrameTableFile(
            try files.make(path, of: input, interruption: interruption),
            hasLive: options.isLive, start: options.part.start)
        },
        pictures: try pictures.map { pictures in
          try channels.map { _ in try pictures.makeTrack(rate: source.sampleRate) }
        } ?? [], reference: reference)
    }
  }
}

extension ChannelAnalysis.Finding {
  fileprivate var isSilence: Bool { if case .silence = self { true } else { false } }

  /// Whether the results list it: speech, or the silence instead.
  fileprivate func isListed(isInverted: Bool) -> Bool {
    if case .segment = self { !isInverted } else { true }
  }
}

extension InputRecord {
  fileprivate init(file: String, _ source: any RecordedSource) {
    self.init(file: file, sampleRate: source.sampleRate, channels: source.inputChannelCount)
  }
}

extension ErrorRecord {
  fileprivate init(notRegular path: FilePath) {
    self.init(
      file: path.string,
      message: "cannot read \(path): a list may name regular files only; give it as an argument",
      exitCode: ExitStatus.noInput)
  }

  /// Creates a record of an input that an interruption left out.
  init(interrupted input: Input) {
    self.init(
      file: input.name,
      message: "\(RecordingName.shown(input.name)) was not analysed: vadmon was interrupted",
      exitCode: ExitStatus.interrupted)
  }

  /// Whether an interruption left the input out. This is not a failure.
  var isInterruption: Bool { exitCode == ExitStatus.interrupted }

  /// Creates a record of a reference that could not be opened.
  init(referenceOf input: Input, _ error: any Error) {
    self.init(file: input.name, error)
    message = "the reference of \(input.name) cannot be used: \(message)"
  }

  /// Creates a record of an input's failure. vadmon's own errors define their exit codes.
  init(file: String, _ error: any Error) {
    switch error {
    case let error as ErrorRecord: self = error
    case let error as AudioInputError:
      self.init(file: file, message: error.sentence(of: file), exitCode: error.exitCode)
    case let error as OutputError:
      self.init(file: file, message: error.description, exitCode: error.exitCode)
    default:
      self.init(file: file, message: "\(file): \(error)", exitCode: ExitStatus.badData)
    }
  }
}

extension ErrorRecord: Error {}

extension AudioInputError {
  /// The description, and what reads a file that may be raw PCM: neither its content nor its name is of a format.
  fileprivate func sentence(of file: String) -> String {
    let path = FilePath(file)
    guard case .notAudio = self, file != "-", !MediaName.isRecording(path),
      !AudioFileSource.recognises(path)
    else { return description }
    return "\(description); \(RawPCMOptions.remedy)"
  }
}
