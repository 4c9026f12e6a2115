internal import Synchronization

/// A source for PCM that the host already has: from its own capture, a decoder or a call.
///
/// The caller makes it and then takes it apart, like a ``SampleRing``: the writer goes to the host's thread, the
/// source to a `VoiceActivityMonitor`. This works in a function only, because Swift cannot take a global apart.
/// ```swift
/// let pcm = HostPCM(sampleRate: 48_000)
/// let monitor = try VoiceActivityMonitor(source: pcm.source)
/// let capture = Capture(pcm.writer)  // calls writer.write(samples), and writer.skip(count) for what was lost
/// ```
/// The writer neither allocates nor locks, and enters the kernel only to wake an analysis thread that
/// sleeps. It never waits: samples that do not fit because the analysis is too slow become a gap.
///
/// **Blocks** may have any length, which may change. A block is stored or lost as a whole, so `seconds` must be longer
/// than the longest block. Decisions come when a block does: blocks of 20 ms give them with the least delay, blocks of
/// a second up to a second late. A `VoiceActivityMonitor` expects the next block when the sound of the last one could
/// have been played. A host may deliver up to 2 s at a time; `SignalHealth.noData` means that it is late by
/// `VoiceActivityMonitor.Configuration.noDataAfter`.
///
/// **The end.** ``Source/finish()`` ends the source after what was written, even while another thread holds the
/// writer. Dropping the writer does the same.
@frozen
public struct HostPCM: ~Copyable {
  /// The half for the thread that has the PCM: mono, full scale ±1.
  public let writer: SampleRing.Writer
  /// The source to listen to.
  public let source: Source

  /// Creates an empty source and its writer.
  ///
  /// - Parameters:
  ///   - sampleRate: The sample rate in Hz, 8000 … 192000.
  ///   - seconds: How much sound the ring holds for an analysis that is late. It must exceed the longest block.
  public init(sampleRate: Int, seconds: Double = 1) {
    let wake = Wakeup()
    let ring = SampleRing(
      capacity: max(1, Int(Double(sampleRate) * seconds)), wakeReader: { wake.signal() })
    writer = ring.writer
    source = Source(ring.reader, sampleRate: sampleRate, wake: wake)
  }
}

extension HostPCM {
  /// The reading end of a ``HostPCM``.
  ///
  /// Threads: as ``PCMSource`` requires; any thread may call ``finish()``. `@unchecked Sendable` is safe because only
  /// ``read(into:)``, one thread at a time, touches the reader. `stopped` is relaxed, because the wake-up's signal
  /// orders it before the read that it wakes.
  public final class Source: PCMSource, @unchecked Sendable {
    public let sampleRate: Int
    public let channelCount = 1
    public var overruns: UInt64 { losses.overruns }

    private var reader: SampleRing.Reader
    private let wake: Wakeup
    private let stopped = Atomic(false)
    /// Whether ``finish()`` was called. It stores this with release order, after `lostAtEnd`. The reader loads it with
    /// acquire order, before the ring and `lostAtEnd`.
    private let finished = Atomic(false)
    /// The number of samples that the writer had lost when the source was first finished. Relaxed: `finished` orders
    /// it.
    private let lostAtEnd = Atomic<UInt64>(.max)
    private let losses: SampleRing.Losses

    init(_ reader: consuming SampleRing.Reader, sampleRate: Int, wake: Wakeup) {
      losses = reader.losses
      self.reader = reader
      self.sampleRate = sampleRate
      self.wake = wake
    }

    public func read(into block: inout PCMBlock) -> Bool {
      block.clear()
      while !stopped.load(ordering: .relaxed) {
        // Acquired before the ring is read, so that the ring then holds everything written before `finish()`.
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
          block.missingFrames = reader.takeLastGap(
            upTo: lostAtEnd.load(ordering: .relaxed))
          return block.missingFrames > 0
        case .empty: _ = reader.sleep(on: wake)
        case .endOfStream: return false
        }
      }
      return false
    }

    public func stop() {
      stopped.store(true, ordering: .relaxed)
      wake.signal()
    }

    /// Ends the source after everything written and skipped until now. A monitor listens to that and ends. Samples
    /// written later are not read. The caller does not need the writer, which may belong to another thread that
    /// continues to write.
    public func finish() {
      _ = lostAtEnd.compareExchange(expected: .max, desired: losses.samples, ordering: .relaxed)
      finished.store(true, ordering: .releasing)
      wake.signal()
    }
  }
}
