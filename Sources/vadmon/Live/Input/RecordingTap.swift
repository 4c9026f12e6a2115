import AudioInput
import RealTime

/// A source that also copies its samples to a ``Recorder``.
///
/// The copy goes through a ring, so the reading thread never waits for a disk. Samples that the disk is too slow for
/// become silence of the same length in the file.
///
/// The recording ends with the source: a gap after the last sample is written as well.
///
/// Threads: as `PCMSource` describes. It is `@unchecked Sendable` because only the reading thread uses `writer`.
final class RecordingTap: PCMSource, @unchecked Sendable {
  let source: any PCMSource
  var sampleRate: Int { source.sampleRate }
  var channelCount: Int { source.channelCount }
  /// The ring's writer. Only the reading thread accesses it.
  private var writer: SampleRing.Writer?

  /// Creates a tap. The source must have one channel.
  init(_ source: any PCMSource, _ writer: consuming SampleRing.Writer) {
    self.source = source
    self.writer = consume writer
  }

  func read(into block: inout PCMBlock) throws -> Bool {
    guard try readSource(&block) else { return false }
    writer?.skip(block.missingFrames)
    block.withSamples(ofChannel: 0) { samples in _ = writer?.write(samples) }
    return true
  }

  private func readSource(_ block: inout PCMBlock) throws -> Bool {
    var hasMore = false
    // Ending the writer informs the recorder of a gap at the end.
    defer { if !hasMore { writer = nil } }
    hasMore = try source.read(into: &block)
    return hasMore
  }

  func stop() { source.stop() }
}
