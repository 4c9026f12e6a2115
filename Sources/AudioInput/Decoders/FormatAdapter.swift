internal import CSpeexDSP

/// The conversion of frames to the rate and the number of channels with which the recording began.
///
/// Where the numbers of channels differ, each channel gets the mean of all.
final class FormatAdapter {
  let input: SoundFormat
  private let output: SoundFormat
  /// speexdsp's resampler, valid until `deinit`; `nil` where the rates are the same.
  private let resampler: OpaquePointer?
  private var (inputCount, outputCount): (Int64, Int64) = (0, 0)

  /// Of 0 … 10: a pass band up to 96 % of the lower rate's half, and 80 dB.
  private static let quality: Int32 = 8
  /// How many frames are converted at once.
  private static let blockLength = 4096

  init(from input: SoundFormat, to output: SoundFormat) {
    (self.input, self.output) = (input, output)
    guard input.sampleRate != output.sampleRate else {
      resampler = nil
      return
    }
    var status: Int32 = 0
    resampler = speex_resampler_init(
      UInt32(output.channelCount), UInt32(input.sampleRate), UInt32(output.sampleRate),
      Self.quality, &status)
    // The first output is then that of the first input.
    if let resampler { speex_resampler_skip_zeros(resampler) }
  }

  deinit { if let resampler { speex_resampler_destroy(resampler) } }

  func convert(_ block: SoundBlock) -> [Float] {
    inputCount += Int64(block.frameCount)
    return resampled(mapped(block))
  }

  /// Returns what the resampler still holds.
  func finish() -> [Float] {
    guard let resampler else { return [] }
    let latency = Int(speex_resampler_get_input_latency(resampler))
    return resampled(Array(repeating: 0, count: (latency + 1) * output.channelCount))
  }

  private func mapped(_ block: SoundBlock) -> [Float] {
    let count = input.channelCount
    guard count != output.channelCount else { return block.samples }
    return stride(from: 0, to: block.samples.count, by: count).flatMap { start in
      let mean = block.samples[start..<start + count].reduce(0, +) / Float(count)
      return repeatElement(mean, count: output.channelCount)
    }
  }

  private func resampled(_ frames: [Float]) -> [Float] {
    guard let resampler else { return frames }
    var (result, used) = ([Float](), 0)
    var part = [Float](repeating: 0, count: Self.blockLength * output.channelCount)
    while used < frames.count {
      var inputLength = UInt32((frames.count - used) / output.channelCount)
      var outputLength = UInt32(Self.blockLength)
      frames.withUnsafeBufferPointer { frames in
        _ = speex_resampler_process_interleaved_float(
          resampler, frames.baseAddress! + used, &inputLength, &part, &outputLength)
      }
      if inputLength == 0, outputLength == 0 { break }
      used += Int(inputLength) * output.channelCount
      result += part.prefix(kept(Int64(outputLength)) * output.channelCount)
    }
    return result
  }

  /// Returns how many of `count` new frames to keep, so that the output does not outlast the input.
  private func kept(_ count: Int64) -> Int {
    let (inputRate, outputRate) = (Int64(input.sampleRate), Int64(output.sampleRate))
    let kept = min(count, (inputCount * outputRate + inputRate / 2) / inputRate - outputCount)
    outputCount += kept
    return Int(kept)
  }
}
