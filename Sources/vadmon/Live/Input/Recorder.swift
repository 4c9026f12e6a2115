import Annotations
import Glibc
import RealTime
import Synchronization
import SystemPackage

/// The thread that writes the samples from a ``RecordingTap`` to a ``RecordingSink``, twice a second.
///
/// This thread may wait for the disk; other threads wait for it only for a limited time. Lost samples are written as
/// silence, so that time in the recording equals time in the stream. The first failure ends the recording and is
/// reported in one sentence; it affects nothing else.
///
/// It is `@unchecked Sendable` because all state that other threads access is atomic or immutable. `sink` and `reader`
/// belong to the recorder's thread alone. `hasEnded` is stored with release and loaded with acquire order, so that a
/// thread that sees it also sees everything the recorder's thread did before; the other atomics are independent values,
/// and relaxed.
final class Recorder: @unchecked Sendable {
  /// The words of the sentence that reports a failure: `subject` has ended: …; `remains`.
  struct Words: Sendable {
    var subject: String
    var remains: String
  }

  /// Whether the recording is still running.
  var isRecording: Bool { recording.load(ordering: .relaxed) }

  private let wake: Wakeup
  /// Signalled when the thread has ended.
  private let ended = Wakeup()
  private let hasEnded = Atomic(false)
  /// The number of frames that the sink has saved, silence included.
  private let saved = Atomic<UInt64>(0)
  private let rate: Int
  /// The number of channels in the ring's samples.
  private let channelCount: UInt64
  private let recording = Atomic(true)
  private let finishing = Atomic(false)
  private let words: Words
  private let onFailure: @Sendable (String) -> Void
  // Only the recorder's thread accesses the following properties.
  private var sink: (any RecordingSink)?
  private var reader: SampleRing.Reader?
  private var written: UInt64 = 0

  /// The interval between two writes: what a killed process loses at most.
  private static let interval = Duration.milliseconds(500)
  /// How long the disk may stall, in s, before sound is lost.
  private static let bufferSeconds = 10

  /// Starts the thread. The sink belongs to it from now on.
  ///
  /// - Parameter canWait: Whether the source can wait while the disk is slow: what comes through a pipe may come faster
  ///   than in real time.
  /// - Returns: The recorder, and the source to use in place of `source`.
  static func record(
    _ source: any PCMSource, canWait: Bool, to sink: any RecordingSink, _ words: Words,
    onFailure: @escaping @Sendable (String) -> Void
  ) throws(Errno) -> (Recorder, RecordingTap) {
    let (wake, room) = (Wakeup(), Wakeup())
    let ring = SampleRing(
      capacity: bufferSeconds * source.sampleRate * source.channelCount,
      wakeWriter: { room.signal() })
    let recorder = Recorder(
      sink, ring.reader, rate: source.sampleRate, channelCount: source.channelCount, wake,
      words, onFailure)
    try JoinableThread(recorder.run).detach()
    return (
      recorder, RecordingTap(source, ring.writer, waiting: canWait ? (wake, room) : nil)
    )
  }

  private init(
    _ sink: any RecordingSink, _ reader: consuming SampleRing.Reader, rate: Int,
    channelCount: Int, _ wake: Wakeup, _ words: Words,
    _ onFailure: @escaping @Sendable (String) -> Void
  ) {
    self.sink = sink
    self.rate = rate
    self.channelCount = UInt64(channelCount)
    self.reader = consume reader
    self.wake = wake
    self.words = words
    self.onFailure = onFailure
  }

  /// Asks the thread to write the remaining samples and to end. The source must have ended.
  func end() {
    finishing.store(true, ordering: .relaxed)
    wake.signal()
  }

  /// Waits within `patience` until the thread has ended.
  func wait(_ patience: Patience) {
    while !hasEnded.load(ordering: .acquiring), !patience.isOver {
      ended.wait(atMost: .milliseconds(10))
    }
  }

  /// Does the same, then abandons a thread that has not ended and reports what the recording lacks.
  ///
  /// - Parameter heard: The number of frames that the recording should hold.
  func giveUp(_ patience: Patience, heard: UInt64) {
    wait(patience)
    guard !hasEnded.load(ordering: .acquiring) else { return }
    let lost = MediaTime(samples: heard - min(heard, saved.load(ordering: .relaxed)), rate: rate)
    fail("the disk does not answer, and \(lost.seconds) s of sound were not written")
  }

  /// Ends the recording and reports the reason. Only the first call has an effect. Threads: any.
  private func fail(_ reason: String) {
    guard recording.exchange(false, ordering: .relaxed) else { return }
    onFailure("\(words.subject) has ended: \(reason); \(words.remains)")
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
    guard var reader = reader.take(), let sink = sink.take() else { return }
    do throws(RecordingFailure) {
      var isLast = false
      while !isLast {
        wake.wait(atMost: Self.interval)
        isLast = finishing.load(ordering: .relaxed)
        try drain(&reader, to: sink)
        try sink.save()
        saved.store(written, ordering: .relaxed)
      }
      try sink.finish()
    } catch {
      fail(error.reason)
    }
    recording.store(false, ordering: .relaxed)
  }

  private func drain(
    _ reader: inout SampleRing.Reader, to sink: any RecordingSink
  ) throws(RecordingFailure) {
    while true {
      var failure: RecordingFailure?
      let outcome = reader.read { samples in
        guard failure == nil else { return }
        do throws(RecordingFailure) { try sink.write(samples) } catch { failure = error }
      }
      if let failure { throw failure }
      switch outcome {
      case .samples(let count): written += UInt64(count) / channelCount
      case .gap(let missing):
        let frames = missing / channelCount
        try sink.writeSilence(frames)
        written += frames
      case .empty, .endOfStream: return
      }
    }
  }
}
