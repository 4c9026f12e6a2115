public import Logging
public import RealTime
internal import Synchronization
public import SystemPackage

/// An audio file, read by libsndfile: WAV of every flavour, FLAC, Ogg Vorbis, Opus, MP3, AIFF, AU, CAF, W64 and more.
/// The content determines the format; the name's extension does not matter.
///
/// A pipe is read as it arrives where the format allows it (WAV, W64, FLAC). Other formats require seeking: they are
/// first copied to a temporary file of at most 2 GiB in `TMPDIR` or `/tmp`, which disappears by itself.
///
/// Threads: as `PCMSource` requires. `@unchecked Sendable` is safe because one thread at a time reads and asks for
/// ``warnings``; ``stop()`` touches only the atomic and the stream. The atomic is relaxed, because no other memory
/// depends on it.
public final class AudioFileSource: RecordedSource, @unchecked Sendable {
  public let name: String
  public let formatName: String
  public let sampleRate: Int
  public let bitsPerSample: Int?
  public let exceedsFloats: Bool
  public let inputChannelCount: Int
  public let expectedFrameCount: Int64?
  public private(set) var warnings: [AudioInputWarning]
  public var channelCount: Int { conversion.outputCount }
  public var channelsCancel: Bool { signal?.cancels ?? false }

  /// The most frames of the input that are read at once.
  private static let frameCapacity = 4096

  /// The most frames that are read at once from a stream that may be live: 64 ms at 16 kHz.
  private static let streamedFrameCapacity = 1024

  private let file: SoundFile
  private let stream: ByteStream?
  private let decoder: MediaDecoder?
  private let conversion: ChannelConversion
  private let signal: SignalCheck?
  /// Interleaved frames from libsndfile.
  private var interleaved: [Float]
  private var framesRead: Int64 = 0
  /// The frames of silence that are still to come before the first sound.
  private var silentFrames: Int64 = 0
  private let stopped = Atomic(false)

  /// Opens a file. Logs at `info` or below, and only during this call.
  ///
  /// - Throws: ``AudioInputError`` if the file cannot be opened or read as audio, or lacks the selected channel.
  public convenience init(
    path: FilePath, channels: ChannelSelection = .mix, logger: Logger? = nil
  ) throws(AudioInputError) {
    let descriptor = try OpenedFile.descriptor(path)
    try self.init(descriptor, name: path.string, channels: channels, logger: logger)
  }

  /// Takes over `descriptor` and closes it at the end.
  convenience init(
    _ descriptor: FileDescriptor, name: String, channels: ChannelSelection, logger: Logger?
  ) throws(AudioInputError) {
    let opened = try OpenedFile(descriptor, name: name)
    try self.init(opened, name: name, channels: channels, logger: logger)
  }

  /// Creates a source for an opened file.
  ///
  /// - Parameter decoder: The program that writes what was opened.
  init(
    _ opened: OpenedFile, name: String, decoder: MediaDecoder? = nil, channels: ChannelSelection,
    logger: Logger?
  ) throws(AudioInputError) {
    self.name = name
    self.decoder = decoder
    file = opened.sound
    stream = (opened.sound.bytes as? StreamFile)?.stream
    warnings = opened.warnings + (decoder?.warningsAtStart ?? [])
    sampleRate = file.sampleRate
    inputChannelCount = file.channelCount
    bitsPerSample = decoder == nil ? file.bitsPerSample : nil
    exceedsFloats = decoder == nil && file.exceedsFloats
    formatName = decoder.map { "\($0.format), decoded by ffmpeg" } ?? opened.formatName
    expectedFrameCount = opened.frameCount
    conversion = ChannelConversion(selection: channels, inputCount: inputChannelCount)
    signal = SignalCheck(
      channels, channelCount: inputChannelCount, sampleRate: sampleRate,
      hasFloats: bitsPerSample == nil)
    interleaved = Array(repeating: 0, count: Self.frameCapacity * inputChannelCount)
    guard supportedSampleRates ~= sampleRate else {
      throw .sampleRate(name: name, sampleRate)
    }
    try channels.check(name, channelCount: inputChannelCount)
    silentFrames = Int64(((decoder?.silenceBeforeSound() ?? 0) * Double(sampleRate)).rounded())
    for correction in opened.corrections { logger?.info("\(name): \(correction)") }
    logger?.debug(
      "opened \(name): \(formatName), \(sampleRate) Hz, \(inputChannelCount) channels")
  }

  /// Returns whether libsndfile knows the file's content. Reads only the header.
  public static func recognises(_ path: FilePath) -> Bool {
    guard let descriptor = try? OpenedFile.descriptor(path) else { return false }
    return (try? OpenedFile(descriptor, name: path.string)) != nil
  }

  public func read(into block: inout PCMBlock) throws -> Bool {
    guard !stopped.load(ordering: .relaxed) else {
      warnings.addFaults(of: signal)
      return false
    }
    let most = stream == nil ? Self.frameCapacity : Self.streamedFrameCapacity
    let wanted = min(block.capacity, most)
    let count = readFrames(wanted)
    block.missingFrames = 0
    block.frameCount = 0
    signal?.look(interleaved.span.extracting(0..<count * inputChannelCount))
    conversion.append(interleaved.span.extracting(0..<count * inputChannelCount), to: &block)
    framesRead += Int64(count)
    guard count == 0 else { return true }
    warnings.addFaults(of: signal)
    if !stopped.load(ordering: .relaxed) { try finish() }
    return false
  }

  /// Reads silence up to the first sound, and then sound. Returns the number of frames, 0 at the end.
  private func readFrames(_ wanted: Int) -> Int {
    interleaved.withUnsafeMutableBufferPointer { buffer in
      guard silentFrames > 0 else {
        return file.read(into: buffer.baseAddress!, frameCount: wanted)
      }
      let count = Int(min(Int64(wanted), silentFrames))
      buffer[..<(count * inputChannelCount)].update(repeating: 0)
      silentFrames -= Int64(count)
      return count
    }
  }

  public func stop() {
    stopped.store(true, ordering: .relaxed)
    stream?.stop()
    decoder?.stop()
  }

  /// Checks at the end whether everything was read, and adds warnings where it was not.
  private func finish() throws(AudioInputError) {
    if let warning = file.bytes.unreadRest() { warnings.append(warning) }
    if case .before(let next, _)? = decoder?.end { warnings.append(.followed(by: next.name)) }
    stopped.store(true, ordering: .relaxed)
    stream?.stop()
    if let message = decoder?.finish() { warnings.append(.decoder(message: message)) }
    if let errno = file.bytes.failure { throw .readFailed(name: name, errno) }
    warnAboutEnd()
  }

  private func warnAboutEnd() {
    let seconds = Double(framesRead) / Double(sampleRate)
    let missing = expectedFrameCount.map { $0 - framesRead } ?? 0
    if missing > 0, let sound = file.bytes.sound {
      return warnings.append(
        .torn(
          missing: UInt64(sound.missing), present: UInt64(sound.promised - sound.missing),
          seconds: seconds))
    }
    if framesRead == 0, warnings.isEmpty { warnings.append(.noSamples) }
    let missingSeconds =
      missing > 0
      ? Double(missing) / Double(sampleRate) : decoder?.missingSeconds(decoded: seconds)
    guard missingSeconds != nil || file.hasFailed || decoder?.end == .torn else { return }
    warnings.append(.endedEarly(missingSeconds: missingSeconds))
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
