import AudioInput
import Glibc
import Synchronization
import SystemPackage
import VoiceActivity

/// The thread that writes what a ``RecordingTap`` hands over to a file, a few times a second, and keeps the
/// file's header true.
///
/// It may wait for the disk; nobody waits for it for long. Samples that were lost are written as silence, so that
/// time in the file is time in the stream. The first thing that goes wrong ends the recording, with one
/// sentence, and nothing else.
final class Recorder: @unchecked Sendable {
  let path: FilePath
  /// The recording goes on.
  var isRecording: Bool { recording.load(ordering: .relaxed) }

  private let wake: WakeEvent
  /// Signalled when the thread has ended.
  private let ended: WakeEvent
  private let hasEnded = Atomic(false)
  /// Frames that the file has taken, silence included.
  private let written = Atomic<UInt64>(0)
  private let rate: Int
  private let recording = Atomic(true)
  private let finishing = Atomic(false)
  private let onFailure: @Sendable (String) -> Void
  // What follows belongs to the thread.
  private let file: WaveRecorder
  private var reader: SampleRing.Reader?

  /// A program that is killed loses as much, ms.
  private static let interval: Int32 = 500
  /// How long a disk may take before sound is lost, s.
  private static let bufferSeconds = 10

  /// Makes the file, which must not exist, and starts the thread. A file that could not be begun does not stay.
  ///
  /// - Returns: The recorder, and the source to listen to in place of `source`.
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
        exitCode: ExitStatus.inputOutput)
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

  /// A recording is never written over: it cannot be made again. It has its name from the beginning, for vadmon may be
  /// killed, so that it is no ``OutputFile``.
  ///
  /// - Parameter made: The file, if it was made here.
  private static func open(_ path: FilePath, made: inout FilePath?) throws -> FileDescriptor {
    guard path.isReplaceable else { return try openSpecial(path) }
    let descriptor = try FileDescriptor.open(
      path, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
      permissions: [.ownerReadWrite, .groupRead, .otherRead])
    made = path
    return descriptor
  }

  /// A device or a pipe. One without a reader is an error and not waited for; one whose reader is slow is.
  private static func openSpecial(_ path: FilePath) throws -> FileDescriptor {
    let descriptor = try FileDescriptor.open(
      path, .writeOnly, options: [.closeOnExec, .nonBlocking])
    let flags = fcntl(descriptor.rawValue, F_GETFL)
    _ = fcntl(descriptor.rawValue, F_SETFL, flags & ~O_NONBLOCK)
    return descriptor
  }

  /// Lets the thread write what is left, and waits for that within patience. The source must have ended.
  func finish(_ patience: Patience) {
    finishing.store(true, ordering: .relaxed)
    wake.signal()
    while !hasEnded.load(ordering: .acquiring), !patience.isOver { ended.wait(atMost: 10) }
  }

  /// The same; then leaves a thread that has not ended to its disk, and reports what is not in the file.
  ///
  /// - Parameter heard: Frames that the file should hold.
  func giveUp(_ patience: Patience, heard: UInt64) {
    finish(patience)
    guard !hasEnded.load(ordering: .acquiring) else { return }
    let lost = Timestamp(samples: heard - min(heard, written.load(ordering: .relaxed)), rate: rate)
    fail("the disk does not answer, and \(lost.seconds) s of sound were not written")
  }

  /// One sentence, whoever is the first to know what is wrong. Any thread.
  private func fail(_ reason: String) {
    guard recording.exchange(false, ordering: .relaxed) else { return }
    onFailure(
      "the recording to \(path.nameAsInput) has ended: \(reason); what it holds is good")
  }
}

extension Recorder {
  /// The loop, to its end.
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
      // The header has its place in the file, whatever there is no more room for.
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
