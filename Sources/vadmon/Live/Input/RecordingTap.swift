import AudioInput
import VoiceActivity

/// A source, and a copy of what comes out of it for a ``Recorder``.
///
/// The copy goes through a ring: whoever reads the source never waits for a disk, and what a disk is too
/// slow for becomes silence of the same length in the file.
///
/// The source's end is the recording's: what was lost behind the last sample is written as well.
///
/// Threads: as `PCMSource` says.
final class RecordingTap: PCMSource, @unchecked Sendable {
  let source: any PCMSource
  var sampleRate: Int { source.sampleRate }
  var channelCount: Int { source.channelCount }
  /// Belongs to the thread that reads.
  private var writer: SampleRing.Writer?

  /// The source must have one channel.
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
    // The recorder learns of a gap at the end from the writer's.
    defer { if !hasMore { writer = nil } }
    hasMore = try source.read(into: &block)
    return hasMore
  }

  func stop() { source.stop() }
}
