import AudioInput
import RealTime
import SystemPackage

/// The WAV file of `--record`, whose header is kept up to date.
final class RecordedFile: RecordingSink {
  private let file: SoundFileWriter
  private let channelCount: Int
  /// The path of the file if it was made for this recording, until there is sound in it.
  private var empty: FilePath?

  private init(_ file: SoundFileWriter, channelCount: Int, empty: FilePath?) {
    (self.file, self.channelCount, self.empty) = (file, channelCount, empty)
  }

  /// Creates the file, which must not exist, and starts a recorder. If this fails, the file is removed.
  static func record(
    _ source: any PCMSource, canWait: Bool, to path: FilePath,
    onFailure: @escaping @Sendable (String) -> Void
  ) throws(RunError) -> (Recorder, RecordingTap) {
    var made: FilePath?
    do {
      let descriptor = try open(path, made: &made)
      let file = try SoundFileWriter(
        descriptor, .rf64, sampleRate: source.sampleRate, channelCount: source.channelCount)
      let words = Recorder.Words(
        subject: "the recording to \(path.nameAsInput)",
        remains: "what was written so far is intact")
      return try Recorder.record(
        source, canWait: canWait,
        to: RecordedFile(file, channelCount: source.channelCount, empty: made),
        words, onFailure: onFailure)
    } catch {
      made?.unlink()
      let errno = path.reason(error as? Errno ?? .ioError)
      throw RunError(
        "cannot record to \(path.nameAsInput): \(errno.reasonForRecording)",
        exitCode: errno == .fileExists ? ExitStatus.usage : ExitStatus.inputOutput)
    }
  }

  /// Opens the file.
  ///
  /// An existing recording is never overwritten, because it cannot be made again. The file has its name from the
  /// beginning, because vadmon may be killed; this is why it is not an ``OutputFile``.
  ///
  /// - Parameter made: The path of the file, if this call created it.
  private static func open(_ path: FilePath, made: inout FilePath?) throws -> FileDescriptor {
    // A pipe without a reader is an error, and is not waited for.
    guard path.isReplaceable else { return try path.openNow() }
    let descriptor = try FileDescriptor.open(
      path, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
      permissions: [.ownerReadWrite, .groupRead, .otherRead])
    made = path
    return descriptor
  }

  func write(_ samples: Span<Float>) throws(RecordingFailure) {
    do throws(Errno) {
      try file.write(samples)
      if !samples.isEmpty { empty = nil }
    } catch {
      // The header has room in the file, even if nothing else has.
      try? file.saveHeader()
      throw RecordingFailure(reason: error.reasonForRecording)
    }
  }

  func writeSilence(_ count: UInt64) throws(RecordingFailure) {
    let most = min(count, 65_536)
    let silence = [Float](repeating: 0, count: Int(most) * channelCount)
    var rest = count
    while rest > 0 {
      let next = min(rest, most)
      try write(silence.span.extracting(0..<Int(next) * channelCount))
      rest -= next
    }
  }

  func save() throws(RecordingFailure) {
    do throws(Errno) {
      try file.saveHeader()
    } catch {
      throw RecordingFailure(reason: error.reasonForRecording)
    }
  }

  /// Removes a file without sound, which would be in the way of the next attempt.
  func finish() { empty?.unlink() }
}

extension Errno {
  /// What is wrong, and what to do about it.
  fileprivate var reasonForRecording: String {
    self == .fileExists
      ? "it exists already and would be written over; choose another name" : reasonForWriting
  }
}
