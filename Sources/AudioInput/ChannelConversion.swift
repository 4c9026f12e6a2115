internal import VoiceActivity

/// Turns interleaved frames into what the detectors hear: the one place where channels are mixed,
/// picked or taken apart. NaN stays NaN.
struct ChannelConversion: Sendable {
  let selection: ChannelSelection
  /// Channels of the interleaved input.
  let inputCount: Int
  /// Channels that come out.
  var outputCount: Int { selection.outputCount(of: inputCount) }

  /// Puts interleaved frames into `block`, which has room for them, behind the frames it holds.
  func append(_ input: Span<Float>, to block: inout PCMBlock) {
    let held = block.frameCount
    for channel in 0..<outputCount {
      block.withRoom(ofChannel: channel) { room in
        let free = UnsafeMutableBufferPointer(rebasing: room[held...])
        write(channel, of: input, to: free, every: 1)
      }
    }
    block.frameCount = held + input.count / inputCount
  }

  /// Puts what comes out, interleaved, at the start of `output`; gives the number of samples.
  func interleave(_ input: Span<Float>, into output: UnsafeMutableBufferPointer<Float>) -> Int {
    for channel in 0..<outputCount {
      let first = UnsafeMutableBufferPointer(rebasing: output[channel...])
      write(channel, of: input, to: first, every: outputCount)
    }
    return input.count / inputCount * outputCount
  }

  private func write(
    _ channel: Int, of input: Span<Float>, to output: UnsafeMutableBufferPointer<Float>,
    every stride: Int
  ) {
    let frameCount = input.count / inputCount
    if selection == .mix && inputCount > 1 {
      let scale = 1 / Float(inputCount)
      for frame in 0..<frameCount { output[frame * stride] = sum(of: input, frame) * scale }
    } else {
      let first = picked ?? channel
      for frame in 0..<frameCount { output[frame * stride] = input[frame * inputCount + first] }
    }
  }

  /// The only channel that is heard, from 0.
  private var picked: Int? {
    guard case .channel(let number) = selection else { return nil }
    return number - 1
  }

  @inline(__always)
  private func sum(of input: Span<Float>, _ frame: Int) -> Float {
    var sum: Float = 0
    for index in frame * inputCount..<(frame + 1) * inputCount { sum += input[index] }
    return sum
  }
}
