import AudioInput
import VoiceActivity

/// A source, and a copy of what comes out of it for a ``Recorder``.
///
/// The copy goes through a ring: whoever reads the source never waits for a disk, and what a disk is too
/// slow for becomes silence of the same length in the file.
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
    guard try source.read(into: &block) else { return false }
    writer?.skip(block.missingFrames)
    block.withSamples(ofChannel: 0) { samples in _ = writer?.write(samples) }
    return true
  }

  func stop() { source.stop() }
}
