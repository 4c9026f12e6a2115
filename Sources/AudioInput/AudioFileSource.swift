public import Logging
public import RealTime
internal import Synchronization
public import SystemPackage

/// A recording in a file, from a pipe or without a header. The content determines the format; the name's extension
/// matters only where the content leaves it open.
///
/// PCM in WAV, W64, AIFF, AU, CAF and SPHERE is read here, FLAC by libFLAC, MPEG audio by libmpg123, Ogg and coded sound by
/// libsndfile. Everything else, and what they refuse, is decoded by `ffmpeg`, if it is on PATH. Where a recording ends and
/// another follows, reading goes on: the rate and the number of channels stay those of the beginning.
///
/// PCM, FLAC and MPEG audio are read from a pipe as they arrive. Other formats require seeking: they are first copied to a
/// temporary file of at most 2 GiB in `TMPDIR` or `/tmp`, which disappears by itself. Memory does not grow with the length.
///
/// Threads: as `PCMSource` requires. `@unchecked Sendable` is safe because one thread at a time reads and asks for
/// ``warnings``; ``stop()`` touches only the atomic, and the decoder under its lock. The atomic is relaxed, because no
/// other memory depends on it.
public final class AudioFileSource: RecordedSource, @unchecked Sendable {
  public let name: String
  public let formatName: String
  public let sampleRate: Int
  public let bitsPerSample: Int?
  public let exceedsFloats: Bool
  public let rawFormat: RawPCMFormat?
  public let inputChannelCount: Int
  public let expectedFrameCount: Int64?
  public private(set) var warnings: [AudioInputWarning] = []
  public var channelCount: Int { conversion.outputCount }
  public var channelsCancel: Bool { signal?.cancels ?? false }

  /// The most frames of the input that are read at once.
  private static let frameCapacity = 4096

  /// The most frames that are read at once from a stream that may be live: 64 ms at 16 kHz.
  private static let streamedFrameCapacity = 1024

  private let opening: Opening
  private var decoder: any SoundDecoder
  /// Ends a wait of the decoder.
  private let stopping: Guarded<@Sendable () -> Void>
  private let stopped = Atomic(false)
  private let conversion: ChannelConversion
  private let signal: SignalCheck?
  private let isStream: Bool
  private let mayBeEmpty: Bool
  /// Interleaved frames.
  private var interleaved: [Float]
  /// Brings frames to the first rate and number of channels, where they differ.
  private var adapter: FormatAdapter?
  /// Frames that have been converted.
  private var pending = PendingSamples()
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
    let descriptor = try FileDescriptor.input(path)
    let stream = try ByteStream(
      descriptor, name: path.string, closing: true, isFile: descriptor.canSeek)
    try self.init(stream, Opening(logger, nil, MediaName.format(of: path)), channels)
  }

  /// Opens PCM without a header, such as standard input. The caller keeps `descriptor` open while this source exists, and
  /// closes it afterwards.
  ///
  /// - Throws: ``AudioInputError`` if the format is out of range or lacks the selected channel.
  public convenience init(
    _ descriptor: FileDescriptor, name: String = "standard input", format: RawPCMFormat,
    channels: ChannelSelection = .mix, logger: Logger? = nil
  ) throws(AudioInputError) {
    try self.init(try ByteStream(descriptor, name: name), raw: format, channels, logger)
  }

  /// Opens a stream without a header, including the bytes that were peeked at.
  ///
  /// - Parameter mayBeEmpty: Whether a stream without bytes is valid, rather than the error `empty`.
  package convenience init(
    _ stream: ByteStream, raw format: RawPCMFormat, _ channels: ChannelSelection,
    mayBeEmpty: Bool = true, _ logger: Logger? = nil
  ) throws(AudioInputError) {
    try format.check(stream.name)
    logger?.debug("reading \(stream.name): \(format.sampleFormat), \(format.sampleRate) Hz")
    try self.init(
      PCMDecoder(stream, format), Opening(logger, nil), channels, raw: format,
      mayBeEmpty: mayBeEmpty)
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
    opening.logger?.debug(
      "opened \(name): \(formatName), \(sampleRate) Hz, \(inputChannelCount) channels")
  }

  private init(
    _ decoder: any SoundDecoder, _ opening: Opening, _ channels: ChannelSelection,
    raw: RawPCMFormat? = nil, mayBeEmpty: Bool = true
  ) throws(AudioInputError) {
    (self.decoder, self.opening, rawFormat, self.mayBeEmpty) = (decoder, opening, raw, mayBeEmpty)
    name = decoder.stream.name
    isStream = decoder.stream.size == nil
    formatName = decoder.formatName
    sampleRate = decoder.sampleRate
    bitsPerSample = decoder.bitsPerSample
    exceedsFloats = decoder.exceedsFloats
    inputChannelCount = decoder.channelCount
    expectedFrameCount = decoder.frameCount
    conversion = ChannelConversion(selection: channels, inputCount: inputChannelCount)
    signal = SignalCheck(
      channels, channelCount: inputChannelCount, sampleRate: sampleRate,
      hasFloats: bitsPerSample == nil && !(decoder is MPEGDecoder))
    interleaved = Array(repeating: 0, count: Self.frameCapacity * inputChannelCount)
    stopping = Guarded(decoder.stopper)
    try channels.check(name, channelCount: inputChannelCount)
  }

  /// Returns whether the file is a recording, intact or damaged, in any format that is recognised without `ffmpeg`.
  public static func recognises(_ path: FilePath) -> Bool { Recording.recognises(path) }

  public func read(into block: inout PCMBlock) throws -> Bool {
    let most = isStream ? Self.streamedFrameCapacity : Self.frameCapacity
    let count = try readFrames(min(block.capacity, most))
    block.missingFrames = 0
    block.frameCount = 0
    signal?.look(interleaved.span.extracting(0..<count * inputChannelCount))
    conversion.append(interleaved.span.extracting(0..<count * inputChannelCount), to: &block)
    framesRead += Int64(count)
    if count == 0 { warnings.addFaults(of: signal) }
    return count > 0
  }

  /// Reads up to `wanted` frames. Returns their number, 0 at the end.
  private func readFrames(_ wanted: Int) throws(AudioInputError) -> Int {
    while !stopped.load(ordering: .relaxed) {
      let count = interleaved.withUnsafeMutableBufferPointer { readNext($0, wanted) }
      if let count { return count }
      var goesOn = false
      defer { if !goesOn { stopped.store(true, ordering: .relaxed) } }
      goesOn = try goOn()
    }
    return 0
  }

  /// Reads from the decoder, or what has been converted. Returns `nil` where the decoder has ended.
  private func readNext(_ buffer: UnsafeMutableBufferPointer<Float>, _ wanted: Int) -> Int? {
    let room = UnsafeMutableBufferPointer(rebasing: buffer[..<(wanted * inputChannelCount)])
    while pending.count == 0 {
      // Room for a frame, however many channels it has.
      let part =
        room.count >= 1024
        ? room : UnsafeMutableBufferPointer(rebasing: buffer[..<min(buffer.count, 1024)])
      let count = decoder.read(into: part)
      guard count > 0 else {
        adapter?.finish(to: &pending)
        adapter = nil
        if pending.count > 0 { break }
        return nil
      }
      let isSame = decoder.sampleRate == sampleRate && decoder.channelCount == inputChannelCount
      if isSame, adapter == nil, count <= wanted { return count }
      convert(UnsafeBufferPointer(rebasing: part[..<(count * decoder.channelCount)]))
    }
    return pending.move(to: room) / inputChannelCount
  }

  private func convert(_ frames: UnsafeBufferPointer<Float>) {
    if adapter?.rate != decoder.sampleRate || adapter?.channelCount != decoder.channelCount {
      adapter?.finish(to: &pending)
      noteFormat()
      adapter = FormatAdapter(
        rate: decoder.sampleRate, channelCount: decoder.channelCount, outputRate: sampleRate,
        outputChannelCount: inputChannelCount)
    }
    adapter?.convert(frames, to: &pending)
  }

  private func noteFormat() {
    let place = Double(framesRead + Int64(pending.count / inputChannelCount)) / Double(sampleRate)
    opening.note(
      "from \(place.inSeconds) s on, \(decoder.sampleRate) Hz and \(decoder.channelCount) channels",
      decoder.stream)
  }

  /// Opens what follows the recording that has ended. Returns `false` if nothing does.
  private func goOn() throws(AudioInputError) -> Bool {
    let stream = decoder.stream
    for warning in decoder.finish() {
      if case .unread(let bytes) = warning {
        unreadByteCount += bytes
      } else {
        warnings.append(warning)
      }
    }
    guard !stopped.load(ordering: .relaxed) else { return false }
    let (next, unread) = RecordingEnd.pass(stream, decoder.chunks)
    unreadByteCount += UInt64(unread)
    if let next, isNew(stream), open(next, stream) { return true }
    if unreadByteCount > 0 { warnings.append(.unread(bytes: unreadByteCount)) }
    if let errno = stream.failure { throw .readFailed(name: name, errno) }
    guard framesRead == 0, warnings.isEmpty else { return false }
    if !mayBeEmpty { throw .empty(name: name) }
    if rawFormat == nil { warnings.append(.noSamples) }
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
      decoder = try opening.decoder(stream, as: format)
      stopping.change { [stopper = decoder.stopper] in $0 = stopper }
      opening.note(
        "at \((Double(framesRead) / Double(sampleRate)).inSeconds) s, \(format.name) follows",
        stream)
      return true
    } catch {
      warnings.append(.followed(by: format.name))
      return false
    }
  }

  public func stop() {
    stopped.store(true, ordering: .relaxed)
    stopping.change { $0 }()
  }
}

extension PCMSource where Self == AudioFileSource {
  /// Opens an audio file, for example `.file("meeting.wav")`.
  public static func file(
    _ path: FilePath, channels: ChannelSelection = .mix
  ) throws(AudioInputError) -> AudioFileSource {
    try AudioFileSource(path: path, channels: channels)
  }
}
