public import Logging
public import RealTime
internal import Synchronization
public import SystemPackage

/// A recording in a file, from a pipe or without a header. The content determines the format; the name's extension
/// matters only where the content leaves it open.
///
/// PCM in WAV, W64, AIFF, AU, CAF and SPHERE is read here, FLAC by libFLAC, MPEG audio by libmpg123, Ogg and coded
/// sound by libsndfile. Everything else, and what they refuse, is decoded by `ffmpeg`, if it is on PATH. Where a
/// recording ends and another follows, reading goes on: the rate and the number of channels stay those of the
/// beginning.
///
/// PCM, FLAC and MPEG audio are read from a pipe as they arrive. Other formats require seeking: they are first copied
/// to a temporary file of at most 2 GiB in `TMPDIR` or `/tmp`, which disappears by itself. Memory does not grow with
/// the length.
///
/// Threads: as `PCMSource` requires. `@unchecked Sendable` is safe because one thread at a time reads and asks for
/// ``warnings`` and ``hasEnded``; ``stop()`` touches only the atomic, and the decoder under its lock. A thread that
/// sees that the decoder was stopped also sees the atomic.
public final class AudioFileSource: RecordedSource, @unchecked Sendable {
  public let name: String
  public let rawFormat: RawPCMFormat?
  public var warnings: [AudioInputWarning] {
    ends + (signal?.faults ?? []).map(AudioInputWarning.init)
  }
  public var formatName: String { info.name }
  public var sampleRate: Int { info.format.sampleRate }
  public var bitsPerSample: Int? { info.bitsPerSample }
  public var exceedsFloats: Bool { info.exceedsFloats }
  public var inputChannelCount: Int { info.format.channelCount }
  public var expectedFrameCount: Int64? { info.frameCount }
  public var containerStart: Double { info.containerStart }
  public var channelCount: Int { conversion.outputCount }
  public var channelsCancel: Bool { signal?.cancels ?? false }

  private let info: SoundInfo
  private let opening: Opening
  private var decoder: any SoundDecoder
  /// Ends a wait of the decoder.
  private let stopping: Guarded<@Sendable () -> Void>
  private let stopped = Atomic(false)
  public private(set) var hasEnded = false
  private let conversion: ChannelConversion
  private let signal: SignalCheck?
  /// What was wrong with the recordings that have ended.
  private var ends: [AudioInputWarning] = []
  private let mayBeEmpty: Bool
  /// The most frames that are decoded at once: of a stream, which may be live, 64 ms at 16 kHz.
  private let mostFrames: Int
  /// Decoded samples in the first format, from the next one on.
  private var samples: ArraySlice<Float> = []
  /// A decoded block behind its silence, which comes first.
  private var held: SoundBlock?
  /// Brings frames to the first format, where theirs differs.
  private var adapter: FormatAdapter?
  private var framesRead: Int64 = 0
  /// Where a recording was found last behind another one.
  private var lastPlace: (ObjectIdentifier, Int64)?
  private var unreadByteCount: UInt64 = 0

  /// Opens a file or a named pipe. Logs at `info` or below, during this call and where the recording changes.
  ///
  /// - Throws: ``AudioInputError`` if the file cannot be opened or read as audio, or lacks the selected channel.
  public convenience init(
    path: FilePath, channels: ChannelSelection = .mix, logger: Logger? = nil
  ) throws(AudioInputError) {
    try self.init(path: path, channels: channels, logger: logger, waiting: nil)
  }

  /// Opens a file or a named pipe, and tells before it waits.
  package convenience init(
    path: FilePath, channels: ChannelSelection, logger: Logger? = nil, waiting: Waiting?
  ) throws(AudioInputError) {
    let opening = Opening(
      logger: logger, waiting: waiting, formatByName: MediaName.format(of: path))
    try self.init(ByteStream(path), opening, channels)
  }

  /// Opens PCM without a header, such as standard input. The caller keeps `descriptor` open while this source exists,
  /// and closes it afterwards.
  ///
  /// - Throws: ``AudioInputError`` if the format is out of range or lacks the selected channel.
  public convenience init(
    _ descriptor: FileDescriptor, name: String = "standard input", format: RawPCMFormat,
    channels: ChannelSelection = .mix, logger: Logger? = nil
  ) throws(AudioInputError) {
    try self.init(ByteStream(descriptor, name: name), raw: format, channels, logger)
  }

  /// Opens a stream without a header, including the bytes that were looked at.
  ///
  /// - Parameter mayBeEmpty: Whether a stream without bytes is valid, rather than the error `empty`.
  package convenience init(
    _ stream: ByteStream, raw format: RawPCMFormat, _ channels: ChannelSelection,
    mayBeEmpty: Bool = true, _ logger: Logger? = nil
  ) throws(AudioInputError) {
    try format.check(stream.name)
    try self.init(
      PCMDecoder(PCMDescription(format: format), Region(stream)), Opening(logger: logger), channels,
      raw: format, mayBeEmpty: mayBeEmpty)
  }

  /// Opens standard input: the recording that its first bytes identify, or raw PCM.
  ///
  /// - Parameters:
  ///   - stream: The stream to read, which can be stopped while nothing arrives.
  ///   - format: The format of raw PCM.
  ///   - isRaw: Whether to read raw PCM whatever the first bytes are.
  package convenience init(
    _ stream: ByteStream, rawFormat format: RawPCMFormat, isRaw: Bool,
    channels: ChannelSelection = .mix, logger: Logger? = nil, waiting: Waiting? = nil
  ) throws(AudioInputError) {
    let opening = Opening(logger: logger, waiting: waiting)
    if isRaw { try opening.awaitFirstByte(of: stream) }
    if !isRaw, let known = try opening.start(of: stream, mayBeRaw: true) {
      try self.init(stream, opening, channels, as: known)
    } else {
      try self.init(stream, raw: format, channels, logger)
    }
  }

  /// Opens the recording with which a stream begins.
  ///
  /// - Parameter known: Its format, if it has been looked for.
  convenience init(
    _ stream: ByteStream, _ opening: Opening, _ channels: ChannelSelection,
    as known: AudioFormat? = nil
  ) throws(AudioInputError) {
    try self.init(try opening.decoder(stream, as: known), opening, channels)
    guard supportedSampleRates ~= sampleRate else { throw .sampleRate(name: name, sampleRate) }
  }

  private init(
    _ decoder: any SoundDecoder, _ opening: Opening, _ channels: ChannelSelection,
    raw: RawPCMFormat? = nil, mayBeEmpty: Bool = true
  ) throws(AudioInputError) {
    (self.decoder, self.opening, rawFormat, self.mayBeEmpty) = (decoder, opening, raw, mayBeEmpty)
    (name, info) = (decoder.stream.name, decoder.info)
    mostFrames = decoder.stream.size == nil ? 1024 : 4096
    let format = info.format
    conversion = ChannelConversion(selection: channels, inputCount: format.channelCount)
    signal = SignalCheck(
      channels, channelCount: format.channelCount, sampleRate: format.sampleRate,
      hasFloats: info.bitsPerSample == nil && !(decoder is MPEGDecoder))
    stopping = Guarded(decoder.stopper)
    try channels.check(name, channelCount: format.channelCount)
    opening.logger?.debug(
      "opened \(name): \(info.name), \(format.sampleRate) Hz, \(format.channelCount.inChannels)")
  }

  /// Returns whether the file is a recording, intact or damaged, in any format that is recognised without `ffmpeg`. A
  /// file without an extension is searched.
  public static func recognises(_ path: FilePath) -> Bool {
    (try? looksLikeRecording(path)) ?? false
  }

  /// Does the same, and throws if the file cannot be opened.
  package static func looksLikeRecording(_ path: FilePath) throws(AudioInputError) -> Bool {
    let file = try ByteStream(path)
    guard file.size != nil else { return false }
    let searched = path.extension == nil ? try? Opening().start(of: file) : nil
    if let format = searched ?? AudioFormat(of: Region(file)) { return format != .playlist }
    return !LibSndFile.takesForMP3(Region(file)) && (try? LibSndFile(Region(file))) != nil
  }

  public func read(into block: inout PCMBlock) throws -> Bool {
    block.clear()
    let most = min(block.capacity, mostFrames)
    // Each block costs the analysis the same, and the frames of many formats are short. A stream may be live.
    let least = decoder.stream.size == nil ? 1 : most
    while block.frameCount < least, try decode(mayGoOn: block.frameCount == 0) {
      let frames = samples.prefix((most - block.frameCount) * inputChannelCount)
      samples = samples[frames.endIndex...]
      signal?.look(frames.span)
      conversion.append(frames.span, to: &block)
      framesRead += Int64(frames.count / inputChannelCount)
    }
    if block.frameCount == 0 { signal?.finish() }
    return block.frameCount > 0
  }

  /// Passes over frames at the beginning without decoding them, as far as the format allows it. Returns how many; those
  /// that remain are to be read.
  package func pass(_ count: UInt64) -> UInt64 {
    guard samples.isEmpty, held == nil, !hasEnded, !isStopped else { return 0 }
    let passed = decoder.pass(Int64(clamping: count))
    framesRead += passed
    return UInt64(passed)
  }

  /// Decodes the next samples, unless there are some. Returns `false` at the end, of the decoder unless `mayGoOn`.
  private func decode(mayGoOn: Bool) throws(AudioInputError) -> Bool {
    while !hasEnded, !isStopped {
      if !samples.isEmpty { return true }
      if var block = held ?? decoder.next(mostFrames) {
        let silence = min(block.silentFrames, Int64(mostFrames))
        block.silentFrames -= silence
        held = silence > 0 ? block : nil
        if silence > 0 {
          block.samples = Array(repeating: 0, count: Int(silence) * block.format.channelCount)
        }
        samples = converted(block)[...]
      } else if !mayGoOn {
        return false
      } else if let adapter {
        (samples, self.adapter) = (adapter.finish()[...], nil)
      } else {
        guard try goOn() else { return false }
      }
    }
    return false
  }

  /// Brings a block to the first format.
  private func converted(_ block: SoundBlock) -> [Float] {
    if block.format == info.format, adapter == nil { return block.samples }
    var rest: [Float] = []
    if adapter?.input != block.format {
      rest = adapter?.finish() ?? []
      let place = info.format.seconds(framesRead + Int64(rest.count / inputChannelCount))
      opening.note(
        "from \(place.inSeconds) s on, \(block.format.sampleRate) Hz and \(block.format.channelCount.inChannels)",
        decoder.stream)
      adapter = FormatAdapter(from: block.format, to: info.format)
    }
    return rest + (adapter?.convert(block) ?? [])
  }

  /// Opens what follows the recording that has ended. Returns `false` if nothing does, or if reading was stopped.
  private func goOn() throws(AudioInputError) -> Bool {
    guard !isStopped else { return false }
    let stream = decoder.stream
    for warning in decoder.finish() {
      if case .unread(let bytes) = warning {
        unreadByteCount += bytes
      } else {
        ends.append(warning)
      }
    }
    let (next, unread) = RecordingEnd.pass(stream, decoder.info.chunks)
    unreadByteCount += UInt64(unread)
    if let next, isNew(stream), open(next, stream) { return true }
    // Of a stream that was stopped meanwhile, nobody knows what follows.
    guard !isStopped else { return false }
    hasEnded = true
    if unreadByteCount > 0 { ends.append(.unread(bytes: unreadByteCount)) }
    // libsndfile puts silence in the place of what is missing.
    if stream.hasShrunk, ends.isEmpty { ends.append(.endedEarly(missingSeconds: nil)) }
    if let errno = stream.failure { throw .readFailed(name: name, errno) }
    guard framesRead == 0, ends.isEmpty else { return false }
    if !mayBeEmpty { throw .empty(name: name) }
    if rawFormat == nil { ends.append(.noSamples) }
    return false
  }

  /// Returns whether a recording has not been opened at this place before: a decoder that has read nothing must not be
  /// asked for ever.
  private func isNew(_ stream: ByteStream) -> Bool {
    let place = (ObjectIdentifier(stream), stream.position)
    defer { lastPlace = place }
    return lastPlace.map { $0 != place } ?? true
  }

  private func open(_ format: AudioFormat, _ stream: ByteStream) -> Bool {
    do {
      let next = try opening.decoder(stream, as: format)
      // The resampler would need a filter of any length.
      let rate = next.info.format.sampleRate
      guard supportedSampleRates ~= rate else { throw AudioInputError.sampleRate(name: name, rate) }
      decoder = next
      stopping.change { [stopper = decoder.stopper] in $0 = stopper }
      opening.note(
        "at \(info.format.seconds(framesRead).inSeconds) s, \(format.name) follows", stream)
      return true
    } catch {
      if !isStopped { ends.append(.followed(by: format.name)) }
      return false
    }
  }

  public func stop() {
    // Releasing, as is the store in the decoder's stream: a thread that sees that one also sees this one.
    stopped.store(true, ordering: .releasing)
    stopping.change { $0 }()
  }

  // Acquiring: pairs with the store in stop().
  private var isStopped: Bool { stopped.load(ordering: .acquiring) }
}

extension PCMSource where Self == AudioFileSource {
  /// Opens an audio file, for example `.file("meeting.wav")`.
  public static func file(
    _ path: FilePath, channels: ChannelSelection = .mix
  ) throws(AudioInputError) -> AudioFileSource {
    try AudioFileSource(path: path, channels: channels)
  }
}
