internal import RealTime
internal import Synchronization
internal import VoiceActivity

/// The thread that reads a reference into a ring, so that the analysis never waits for it.
///
/// A reference that fails or ends leaves the ring empty; the analysis then hears silence in its place.
///
/// `@unchecked Sendable` is safe because only the thread touches `writer` after ``start()``, and `thread` is set by the
/// thread that starts and joins, which is one. The atomic is relaxed: no other memory depends on it.
final class ReferenceInput: @unchecked Sendable {
  private let source: any PCMSource
  private var writer: SampleRing.Writer?
  private var thread: JoinableThread?
  private let stopped = Atomic(false)
  /// When the first frame of the source was captured. Any thread may read it.
  var startTime: Int64? { source.startTime }

  /// Creates an input that writes what `source` delivers, its channels mixed.
  init(_ source: any PCMSource, _ writer: consuming SampleRing.Writer) {
    self.source = source
    self.writer = consume writer
  }

  /// Starts to read. Throws ``MonitorError/noThread``.
  func start() throws(MonitorError) {
    do {
      thread = try JoinableThread { [self] in run() }
    } catch {
      throw .noThread
    }
  }

  /// Ends the source. Any thread may call it.
  func stop() {
    stopped.store(true, ordering: .relaxed)
    source.stop()
  }

  /// Stops, and waits until the thread has ended.
  func finish() {
    stop()
    thread?.join()
    thread = nil
  }

  private func run() {
    guard var writer = writer.take() else { return }
    var block = PCMBlock(channelCount: source.channelCount)
    var played = PlayedMix(channelCount: source.channelCount, sampleRate: source.sampleRate)
    while !stopped.load(ordering: .relaxed), (try? source.read(into: &block)) == true {
      if block.missingFrames > 0 { writer.skip(block.missingFrames) }
      played.mix(&block)
      block.withSamples(ofChannel: 0) { samples in
        if !samples.isEmpty { _ = writer.write(samples) }
      }
    }
  }
}
