internal import CSpeexDSP

/// The conversion of frames to the rate and the number of channels with which the recording began.
///
/// Where the numbers of channels differ, each channel gets the mean of all.
final class FormatAdapter {
  let rate: Int
  let channelCount: Int
  private let outputRate: Int
  private let outputChannelCount: Int
  /// speexdsp's resampler, valid until `deinit`; `nil` where the rates are the same.
  private let resampler: OpaquePointer?
  private var mapped: [Float] = []
  private var output: [Float] = []
  private var (inputCount, outputCount): (Int64, Int64) = (0, 0)

  /// Of 0 … 10: a pass band up to 96 % of the lower rate's half, and 80 dB.
  private static let quality: Int32 = 8

  init(rate: Int, channelCount: Int, outputRate: Int, outputChannelCount: Int) {
    (self.rate, self.channelCount) = (rate, channelCount)
    (self.outputRate, self.outputChannelCount) = (outputRate, outputChannelCount)
    guard rate != outputRate else {
      resampler = nil
      return
    }
    var status: Int32 = 0
    resampler = speex_resampler_init(
      UInt32(outputChannelCount), UInt32(rate), UInt32(outputRate), Self.quality, &status)
    // The first output is then that of the first input.
    if let resampler { speex_resampler_skip_zeros(resampler) }
  }

  deinit { if let resampler { speex_resampler_destroy(resampler) } }

  /// Converts frames and appends them to `pending`.
  func convert(_ frames: UnsafeBufferPointer<Float>, to pending: inout PendingSamples) {
    map(frames)
    inputCount += Int64(frames.count / channelCount)
    resample(to: &pending)
  }

  /// Appends what the resampler still holds.
  func finish(to pending: inout PendingSamples) {
    guard let resampler else { return }
    let latency = Int(speex_resampler_get_input_latency(resampler))
    mapped = Array(repeating: 0, count: (latency + 1) * outputChannelCount)
    resample(to: &pending)
  }

  private func map(_ frames: UnsafeBufferPointer<Float>) {
    mapped.removeAll(keepingCapacity: true)
    guard channelCount != outputChannelCount else { return mapped.append(contentsOf: frames) }
    for start in stride(from: 0, to: frames.count, by: channelCount) {
      let mean = frames[start..<start + channelCount].reduce(0, +) / Float(channelCount)
      mapped.append(contentsOf: repeatElement(mean, count: outputChannelCount))
    }
  }

  private func resample(to pending: inout PendingSamples) {
    guard let resampler else { return mapped.withUnsafeBufferPointer { pending.append($0) } }
    var used = 0
    while used < mapped.count {
      var inputLength = UInt32((mapped.count - used) / outputChannelCount)
      var outputLength = UInt32(4096)
      output = Array(repeating: 0, count: Int(outputLength) * outputChannelCount)
      mapped.withUnsafeBufferPointer { input in
        _ = speex_resampler_process_interleaved_float(
          resampler, input.baseAddress! + used, &inputLength, &output, &outputLength)
      }
      used += Int(inputLength) * outputChannelCount
      append(Int(outputLength), to: &pending)
      if inputLength == 0, outputLength == 0 { break }
    }
  }

  /// Appends no more than the input's length.
  private func append(_ count: Int, to pending: inout PendingSamples) {
    let whole = (inputCount * Int64(outputRate) + Int64(rate) / 2) / Int64(rate)
    let kept = min(Int64(count), whole - outputCount)
    outputCount += kept
    output.withUnsafeBufferPointer {
      pending.append(.init(rebasing: $0[..<(Int(kept) * outputChannelCount)]))
    }
  }
}
