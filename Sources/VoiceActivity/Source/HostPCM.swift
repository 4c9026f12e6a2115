internal import Dispatch
internal import Synchronization

/// PCM that a host has already: from its own capture, a decoder, a call.
///
/// Made whole and then taken apart, like a ``SampleRing``: the writer goes to the host's thread, the
/// source to a ``VoiceActivityMonitor``. In a function: a global cannot be taken apart.
/// ```swift
/// let pcm = HostPCM(sampleRate: 48_000)
/// let monitor = try VoiceActivityMonitor(source: pcm.source)
/// let capture = Capture(pcm.writer)  // calls writer.write(samples), and writer.skip(count) for what was lost
/// ```
/// The writer neither allocates nor locks, and enters the kernel only to wake an analysis thread that
/// sleeps. It never waits: samples that do not fit because the analysis is too slow become a gap.
///
/// **Blocks** may have any length, and it may change. A block is stored whole or lost whole, so `seconds` must be longer
/// than the longest. Decisions come when a block does: with 20 ms they are as soon as they can be, with a second they are
/// a second late. A ``VoiceActivityMonitor`` takes the sound of a block for the time until the next one is due: a host
/// may deliver up to 2 s at a time, and ``SignalHealth/noData`` means that it is late by
/// ``VoiceActivityMonitor/Configuration/noDataAfter``.
///
/// **The end.** ``Source/finish()`` ends the source after what was written, whoever holds the writer. So does dropping
/// the writer.
@frozen
public struct HostPCM: ~Copyable {
  /// For the thread that has the PCM: mono, full scale ±1.
  public let writer: SampleRing.Writer
  /// For who listens.
  public let source: Source

  /// - Parameters:
  ///   - sampleRate: Hz, 8000 … 192000.
  ///   - seconds: How much is kept for an analysis that is late. More than the longest block.
  public init(sampleRate: Int, seconds: Double = 1) {
    let wake = DispatchSemaphore(value: 0)
    let ring = SampleRing(
      capacity: max(1, Int(Double(sampleRate) * seconds)), wakeReader: { wake.signal() })
    writer = ring.writer
    source = Source(ring.reader, sampleRate: sampleRate, wake: wake)
  }
}

extension HostPCM {
  /// The end of a ``HostPCM`` that is listened to.
  ///
  /// Threads: as ``PCMSource`` says; ``finish()`` may come from any.
  public final class Source: PCMSource, @unchecked Sendable {
    public let sampleRate: Int
    public let channelCount = 1

    private var reader: SampleRing.Reader
    private let wake: DispatchSemaphore
    private let stopped = Atomic(false)
    private let finished = Atomic(false)

    init(_ reader: consuming SampleRing.Reader, sampleRate: Int, wake: DispatchSemaphore) {
      self.reader = reader
      self.sampleRate = sampleRate
      self.wake = wake
    }

    public func read(into block: inout PCMBlock) -> Bool {
      block.frameCount = 0
      block.missingFrames = 0
      defer { block.overruns = reader.takeOverruns() }
      while !stopped.load(ordering: .relaxed) {
        // Before the look at the ring: what was written before the end is in it then.
        let isFinished = finished.load(ordering: .acquiring)
        let outcome = block.withRoom(ofChannel: 0) { room in
          var samples = room.mutableSpan
          return reader.read(into: &samples)
        }
        switch outcome {
        case .samples(let count):
          block.frameCount = count
          return true
        case .gap(let missing):
          block.missingFrames = missing
          return true
        case .empty where isFinished:
          stop()
          block.missingFrames = reader.takeLastGap()
          return block.missingFrames > 0
        case .empty: if reader.prepareToSleep() { wake.wait() }
        case .endOfStream: return false
        }
      }
      return false
    }

    public func stop() {
      stopped.store(true, ordering: .relaxed)
      wake.signal()
    }

    /// Ends the source after what was written and skipped until now: a monitor listens to that and ends. What is written
    /// later is not read. The writer need not be at hand; it may belong to another thread that goes on to write.
    public func finish() {
      finished.store(true, ordering: .releasing)
      wake.signal()
    }
  }
}
