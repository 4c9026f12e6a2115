import Annotations
import AudioInput
import Glibc
import RealTime
import Synchronization
import SystemPackage

/// The thread that writes the samples from a ``RecordingTap`` to a file, twice a second, and keeps the file's header up
/// to date.
///
/// This thread may wait for the disk; other threads wait for it only for a limited time. Lost samples are written as
/// silence, so that time in the file equals time in the stream. The first failure ends the recording and is reported in
/// one sentence; it affects nothing else.
///
/// It is `@unchecked Sendable` because all state that other threads access is atomic or immutable. `file` and `reader`
/// belong to the recorder's thread alone. `hasEnded` is stored with release and loaded with acquire order, so that a
/// thread that sees it also sees everything the recorder's thread did before; the other atomics are independent values,
/// and relaxed.
final class Recorder: @unchecked Sendable {
  let path: FilePath
  /// Whether the recording is still running.
  var isRecording: Bool { recording.load(ordering: .relaxed) }

  private let wake: WakeEvent
  /// Signalled when the thread has ended.
  private let ended: WakeEvent
  private let hasEnded = Atomic(false)
  /// The number of frames written to the file, silence included.
  private let written = Atomic<UInt64>(0)
  private let rate: Int
  private let recording = Atomic(true)
  private let finishing = Atomic(false)
  private let onFailure: @Sendable (String) -> Void
  // Only the recorder's thread accesses the following properties.
  private let file: WaveRecorder
  private var reader: SampleRing.Reader?

  /// The interval in ms between two writes: what a killed process loses at most.
  private static let interval: Int32 = 500
  /// How long the disk may stall, in s, before sound is lost.
  private static let bufferSeconds = 10

  /// Creates the file, which must not exist, and starts the thread. If this fails, the file is removed.
  ///
  /// - Returns: The recorder, and the source to use in place of `source`.
  static func record(
    _ source: any PCMSource, to path: FilePath, onFailure: @escaping @Sendable (String) -> Void
  ) throws(RunError) -> (Recorder, RecordingTap) {
    let ring = SampleRing(capacity: bufferSeconds * source.sampleRate)
    var made: FilePath?
    do {
      let descriptor = try open(path, made: &made)
      let file = try WaveRecorder(descriptor, sampleRate: source.sampleRate, channelCount: 1)
      let recorder = Recorder(
        path, file, ring.reader, rate: source.sampleRate, try WakeEvent(), ended: try WakeEvent(),
        onFailure)
      try JoinableThread(running: recorder.run).detach()
      return (recorder, RecordingTap(source, ring.writer))
    } catch {
      made?.unlink()
      let errno = error as? Errno ?? .ioError
      throw RunError(
        "cannot record to \(path.nameAsInput): \(errno.reasonForRecording)",
        exitCode: errno == .fileExists ? ExitStatus.usage : ExitStatus.inputOutput)
    }
  }

  private init(
    _ path: FilePath, _ file: WaveRecorder, _ reader: consuming SampleRing.Reader, rate: Int,
    _ wake: WakeEvent, ended: WakeEvent, _ onFailure: @escaping @Sendable (String) -> Void
  ) {
    self.path = path
    self.rate = rate
    self.file = file
    self.reader = consume reader
    self.wake = wake
    self.ended = ended
    self.onFailure = onFailure
  }

  /// Opens the file.
  ///
  /// An existing recording is never overwritten, because it cannot be made again. The file has its name from the
  /// beginning, because vadmon may be killed; this is why it is not an ``OutputFile``.
  ///
  /// - Parameter made: The path of the file, if this call created it.
  private static func open(_ path: FilePath, made: inout FilePath?) throws -> FileDescriptor {
    guard path.isReplaceable else { return try openSpecial(path) }
    let descriptor = try FileDescriptor.open(
      path, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
      permissions: [.ownerReadWrite, .groupRead, .otherRead])
    made = path
    return descriptor
  }

  /// Opens a device or a pipe. A pipe without a reader is an error, and is not waited for. A slow reader is waited for.
  private static func openSpecial(_ path: FilePath) throws -> FileDescriptor {
    let descriptor = try FileDescriptor.open(
      path, .writeOnly, options: [.closeOnExec, .nonBlocking])
    let flags = fcntl(descriptor.rawValue, F_GETFL)
    _ = fcntl(descriptor.rawValue, F_SETFL, flags & ~O_NONBLOCK)
    return descriptor
  }

  /// Asks the thread to write the remaining samples, and waits for it within `patience`. The source must have ended.
  func finish(_ patience: Patience) {
    finishing.store(true, ordering: .relaxed)
    wake.signal()
    while !hasEnded.load(ordering: .acquiring), !patience.isOver { ended.wait(atMost: 10) }
  }

  /// Does the same, then abandons a thread that has not ended and reports what the file lacks.
  ///
  /// - Parameter heard: The number of frames that the file should hold.
  func giveUp(_ patience: Patience, heard: UInt64) {
    finish(patience)
    guard !hasEnded.load(ordering: .acquiring) else { return }
    let lost = MediaTime(samples: heard - min(heard, written.load(ordering: .relaxed)), rate: rate)
    fail("the disk does not answer, and \(lost.seconds) s of sound were not written")
  }

  /// Ends the recording and reports the reason. Only the first call has an effect. Threads: any.
  private func fail(_ reason: String) {
    guard recording.exchange(false, ordering: .relaxed) else { return }
    onFailure(
      """
      the recording to \(path.nameAsInput) has ended: \(reason); what was written so far is intact
      """)
  }
}

extension Recorder {
  /// Runs the thread's loop to its end.
  private func run() {
    writeAll()
    hasEnded.store(true, ordering: .releasing)
    ended.signal()
  }

  private func writeAll() {
    guard var reader = reader.take() else { return }
    do {
      var isLast = false
      while !isLast {
        wake.wait(atMost: Self.interval)
        isLast = finishing.load(ordering: .relaxed)
        try drain(&reader)
        try file.saveHeader()
      }
    } catch {
      // The header has room in the file, even if nothing else has.
      try? file.saveHeader()
      fail(error.reasonForRecording)
    }
    recording.store(false, ordering: .relaxed)
  }

  private func write(_ samples: Span<Float>) throws(Errno) {
    try file.write(samples)
    written.wrappingAdd(UInt64(samples.count), ordering: .relaxed)
  }

  private func drain(_ reader: inout SampleRing.Reader) throws(Errno) {
    while true {
      var failure: Errno?
      let outcome = reader.read { samples in
        do throws(Errno) {
          try write(samples)
        } catch {
          failure = failure ?? error
        }
      }
      if let failure { throw failure }
      switch outcome {
      case .samples: break
      case .gap(let missing): try writeSilence(missing)
      case .empty, .endOfStream: return
      }
    }
  }

  private func writeSilence(_ count: UInt64) throws(Errno) {
    let silence = [Float](repeating: 0, count: Int(min(count, 65_536)))
    var rest = count
    while rest > 0 {
      let next = min(rest, UInt64(silence.count))
      try write(silence.span.extracting(0..<Int(next)))
      rest -= next
    }
  }
}

extension Errno {
  /// What is wrong, and what to do about it.
  fileprivate var reasonForRecording: String {
    self == .fileExists
      ? "it exists already and would be written over; choose another name" : reasonForWriting
  }
}
