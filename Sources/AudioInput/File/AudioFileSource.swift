public import Logging
internal import Synchronization
public import SystemPackage
public import VoiceActivity

/// An audio file, read by libsndfile: WAV of every flavour, FLAC, Ogg Vorbis, Opus, MP3, AIFF, AU,
/// CAF, W64 and more. The content tells the format; the name's ending does not matter.
///
/// Threads: as `PCMSource` says.
public final class AudioFileSource: RecordedSource, @unchecked Sendable {
  public let name: String
  public let formatName: String
  public let sampleRate: Int
  public let inputChannelCount: Int
  public let expectedFrameCount: Int64?
  public private(set) var warnings: [AudioInputWarning]
  public var channelCount: Int { conversion.outputCount }

  /// Frames of the input that are read at once at most.
  private static let frameCapacity = 4096

  private let file: SoundFile
  private let conversion: ChannelConversion
  /// Interleaved frames as libsndfile gives them.
  private var interleaved: [Float]
  private var framesRead: Int64 = 0
  private let stopped = Atomic(false)

  /// Opens a file. Logs at `info` or below, and only here.
  ///
  /// A pipe is first copied to disk as a whole, for most formats have to seek.
  public convenience init(
    path: FilePath, channels: ChannelSelection = .mix, logger: Logger? = nil
  ) throws(AudioInputError) {
    let descriptor = try OpenedFile.descriptor(path)
    try self.init(descriptor, name: path.string, channels: channels, logger: logger)
  }

  /// Takes over `descriptor` and closes it in the end.
  init(
    _ descriptor: FileDescriptor, name: String, channels: ChannelSelection, logger: Logger?
  ) throws(AudioInputError) {
    self.name = name
    let opened = try OpenedFile(descriptor, name: name)
    file = opened.sound
    warnings = opened.warnings
    sampleRate = file.sampleRate
    inputChannelCount = file.channelCount
    formatName = file.formatName
    expectedFrameCount = opened.frameCount
    conversion = ChannelConversion(selection: channels, inputCount: inputChannelCount)
    interleaved = Array(repeating: 0, count: Self.frameCapacity * inputChannelCount)
    guard supportedSampleRates ~= sampleRate else {
      throw .sampleRate(name: name, sampleRate)
    }
    try channels.check(name, channelCount: inputChannelCount)
    for correction in opened.corrections { logger?.info("\(name): \(correction)") }
    logger?.debug(
      "opened \(name): \(formatName), \(sampleRate) Hz, \(inputChannelCount) channels")
  }

  /// Whether libsndfile knows the file's content. Reads no more than the header.
  public static func recognises(_ path: FilePath) -> Bool {
    guard let descriptor = try? OpenedFile.descriptor(path) else { return false }
    return (try? OpenedFile(descriptor, name: path.string)) != nil
  }

  public func read(into block: inout PCMBlock) throws -> Bool {
    guard !stopped.load(ordering: .relaxed) else { return false }
    let wanted = min(block.capacity, Self.frameCapacity)
    let count = interleaved.withUnsafeMutableBufferPointer {
      file.read(into: $0.baseAddress!, frameCount: wanted)
    }
    block.missingFrames = 0
    block.frameCount = 0
    conversion.append(interleaved.span.extracting(0..<count * inputChannelCount), to: &block)
    framesRead += Int64(count)
    guard count == 0 else { return true }
    try finish()
    return false
  }

  public func stop() { stopped.store(true, ordering: .relaxed) }

  /// At the end: was that all?
  private func finish() throws(AudioInputError) {
    stop()
    if let errno = file.bytes.failure { throw .readFailed(name: name, errno) }
    let missing = expectedFrameCount.map { $0 - framesRead }
    guard file.hasFailed || missing ?? 0 > 0 else { return }
    warnings.append(.endedEarly(missingSeconds: missing.map { Double($0) / Double(sampleRate) }))
  }
}

/// Frames per second that detectors take.
package let supportedSampleRates = 8000...192_000

extension PCMSource where Self == AudioFileSource {
  /// An audio file, e.g. `.file("meeting.wav")`.
  public static func file(
    _ path: FilePath, channels: ChannelSelection = .mix
  ) throws(AudioInputError) -> AudioFileSource {
    try AudioFileSource(path: path, channels: channels)
  }
}
