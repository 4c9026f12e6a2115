import AudioInput
import RealTime

/// A recording that is read with all its channels, of which the analysis gets those that were selected.
///
/// Threads: as the source's. `@unchecked Sendable` is safe because only the thread that reads touches ``frames``.
final class SeparatedRecording: PassingRecording, @unchecked Sendable {
  let source: any RecordedSource
  private let conversion: ChannelConversion
  private let signal: SignalCheck?
  private var block: PCMBlock
  /// The frames of the newest block, interleaved.
  private(set) var frames: [Float] = []

  /// Takes over a source of all channels.
  init(
    _ source: any RecordedSource, selecting selection: ChannelSelection
  ) throws(AudioInputError) {
    try selection.check(source.name, channelCount: source.inputChannelCount)
    self.source = source
    conversion = ChannelConversion(selection: selection, inputCount: source.inputChannelCount)
    // The source has looked for samples beyond full scale.
    signal = SignalCheck(
      selection, channelCount: source.inputChannelCount, sampleRate: source.sampleRate,
      hasFloats: false)
    block = PCMBlock(channelCount: source.inputChannelCount)
  }

  func read(into output: inout PCMBlock) throws -> Bool {
    block.frameCount = 0
    let hasMore = try source.read(into: &block)
    output.missingFrames = hasMore ? block.missingFrames : 0
    output.frameCount = 0
    block.interleave(into: &frames)
    let frames = frames
    if hasMore { signal?.look(frames.span) } else { signal?.finish() }
    conversion.append(frames.span, to: &output)
    return hasMore
  }

  var warnings: [AudioInputWarning] {
    source.warnings + (signal?.faults ?? []).map(AudioInputWarning.init)
  }
  var channelCount: Int { conversion.outputCount }
}
