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
/// Dropping the writer ends the source.
@frozen
public struct HostPCM: ~Copyable {
  /// For the thread that has the PCM: mono, full scale ±1.
  public let writer: SampleRing.Writer
  /// For who listens.
  public let source: any PCMSource

  /// - Parameters:
  ///   - sampleRate: Hz, 8000 … 192000.
  ///   - seconds: How much is kept for an analysis that is late.
  public init(sampleRate: Int, seconds: Double = 1) {
    let wake = DispatchSemaphore(value: 0)
    let ring = SampleRing(
      capacity: max(1, Int(Double(sampleRate) * seconds)), wakeReader: { wake.signal() })
    writer = ring.writer
    source = RingSource(ring.reader, sampleRate: sampleRate, wake: wake)
  }
}

/// The reading end of a ring of mono samples as a source.
private final class RingSource: PCMSource, @unchecked Sendable {
  let sampleRate: Int
  let channelCount = 1

  private var reader: SampleRing.Reader
  private let wake: DispatchSemaphore
  private let stopped = Atomic(false)

  init(_ reader: consuming SampleRing.Reader, sampleRate: Int, wake: DispatchSemaphore) {
    self.reader = reader
    self.sampleRate = sampleRate
    self.wake = wake
  }

  func read(into block: inout PCMBlock) -> Bool {
    block.frameCount = 0
    block.missingFrames = 0
    defer { block.overruns = reader.takeOverruns() }
    while !stopped.load(ordering: .relaxed) {
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
      case .empty: if reader.prepareToSleep() { wake.wait() }
      case .endOfStream: return false
      }
    }
    return false
  }

  func stop() {
    stopped.store(true, ordering: .relaxed)
    wake.signal()
  }
}
