import AudioInput
import Synchronization
import SystemPackage
import VoiceActivity

/// The thread that writes what a ``RecordingTap`` hands over to a file, a few times a second, and keeps the
/// file's header true.
///
/// It may wait for the disk; nobody waits for it. Samples that were lost are written as silence, so that
/// time in the file is time in the stream. The first thing that goes wrong ends the recording, with one
/// sentence, and nothing else.
final class Recorder: @unchecked Sendable {
  let path: FilePath
  /// The recording goes on.
  var isRecording: Bool { recording.load(ordering: .relaxed) }

  private let wake: WakeEvent
  private let recording = Atomic(true)
  private let finishing = Atomic(false)
  private let onFailure: @Sendable (String) -> Void
  private var thread: JoinableThread?
  // What follows belongs to the thread.
  private let file: WaveRecorder
  private var reader: SampleRing.Reader?

  /// A program that is killed loses as much, ms.
  private static let interval: Int32 = 500
  /// How long a disk may take before sound is lost, s.
  private static let bufferSeconds = 10

  /// Makes the file, which must not exist, and starts the thread.
  ///
  /// - Returns: The recorder, and the source to listen to in place of `source`.
  static func record(
    _ source: any PCMSource, to path: FilePath, onFailure: @escaping @Sendable (String) -> Void
  ) throws(RunError) -> (Recorder, RecordingTap) {
    let ring = SampleRing(capacity: bufferSeconds * source.sampleRate)
    do {
      let file = try WaveRecorder(
        try newFile(path), sampleRate: source.sampleRate, channelCount: 1)
      let recorder = Recorder(path, file, ring.reader, try WakeEvent(), onFailure)
      try recorder.start()
      return (recorder, RecordingTap(source, ring.writer))
    } catch {
      let errno = error as? Errno ?? .ioError
      throw RunError(
        "cannot record to \(path.nameAsInput): \(errno.reasonForRecording)",
        exitCode: ExitStatus.inputOutput)
    }
  }

  private init(
    _ path: FilePath, _ file: WaveRecorder, _ reader: consuming SampleRing.Reader,
    _ wake: WakeEvent, _ onFailure: @escaping @Sendable (String) -> Void
  ) {
    self.path = path
    self.file = file
    self.reader = consume reader
    self.wake = wake
    self.onFailure = onFailure
  }

  /// A recording is never written over: it cannot be made again.
  private static func newFile(_ path: FilePath) throws -> FileDescriptor {
    try FileDescriptor.open(
      path, .writeOnly,
      options: path.isReplaceable
        ? [.create, .exclusiveCreate, .closeOnExec] : [.closeOnExec, .nonBlocking],
      permissions: [.ownerReadWrite, .groupRead, .otherRead])
  }

  private func start() throws(Errno) {
    thread = try JoinableThread(running: { [unowned self] in run() })
  }

  /// Writes what is left. The source must have ended.
  func finish() {
    finishing.store(true, ordering: .relaxed)
    wake.signal()
    thread?.join()
    thread = nil
  }
}

extension Recorder {
  /// The loop, to its end.
  private func run() {
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
      onFailure(
        "the recording to \(path.nameAsInput) has ended: \(error.reasonForRecording); what it holds is good"
      )
    }
    recording.store(false, ordering: .relaxed)
  }

  private func drain(_ reader: inout SampleRing.Reader) throws(Errno) {
    while true {
      var failure: Errno?
      let outcome = reader.read { samples in
        do throws(Errno) {
          try file.write(samples)
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
      try file.write(silence.span.extracting(0..<Int(next)))
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
