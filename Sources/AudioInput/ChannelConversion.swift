internal import VoiceActivity

/// Turns interleaved frames into what the detectors hear: the one place where channels are mixed,
/// picked or taken apart. NaN stays NaN.
package struct ChannelConversion: Sendable {
  let selection: ChannelSelection
  /// Channels of the interleaved input.
  let inputCount: Int
  /// Channels that come out.
  package var outputCount: Int { selection.outputCount(of: inputCount) }

  package init(selection: ChannelSelection, inputCount: Int) {
    self.selection = selection
    self.inputCount = inputCount
  }

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
  package func interleave(
    _ input: Span<Float>, into output: UnsafeMutableBufferPointer<Float>
  ) -> Int {
    for channel in 0..<outputCount {
      let first = UnsafeMutableBufferPointer(rebasing: output[channel...])
      write(channel, of: input, to: first, every: outputCount)
    }
    return input.count / inputCount * outputCount
  }

  /// Writes one output channel, its samples `stride` apart.
  private func write(
    _ channel: Int, of input: Span<Float>, to output: UnsafeMutableBufferPointer<Float>,
    every stride: Int
  ) {
    let frameCount = input.count / inputCount
    guard frameCount > 0 else { return }
    precondition(output.count > (frameCount - 1) * stride)
    input.withUnsafeBufferPointer { input in
      let (input, output) = (input.baseAddress!, output.baseAddress!)
      switch (selection, inputCount) {
      case (_, 1) where stride == 1: output.update(from: input, count: frameCount)
      case (.mix, 2): mixPairs(input, frameCount, output)
      case (.mix, 3...): mix(input, frameCount, output)
      default: pick(picked ?? channel, input, frameCount, output, stride)
      }
    }
  }

  private func pick(
    _ channel: Int, _ input: UnsafePointer<Float>, _ frameCount: Int,
    _ output: UnsafeMutablePointer<Float>, _ stride: Int
  ) {
    for frame in 0..<frameCount { output[frame * stride] = input[frame * inputCount + channel] }
  }

  /// The usual case by itself, so that the compiler makes vectors of it.
  private func mixPairs(
    _ input: UnsafePointer<Float>, _ frameCount: Int, _ output: UnsafeMutablePointer<Float>
  ) {
    for frame in 0..<frameCount { output[frame] = (input[2 * frame] + input[2 * frame + 1]) * 0.5 }
  }

  private func mix(
    _ input: UnsafePointer<Float>, _ frameCount: Int, _ output: UnsafeMutablePointer<Float>
  ) {
    let scale = 1 / Float(inputCount)
    for frame in 0..<frameCount {
      let channels = input + frame * inputCount
      var sum = channels[0]
      for channel in 1..<inputCount { sum += channels[channel] }
      output[frame] = sum * scale
    }
  }

  /// The only channel that is heard, from 0.
  private var picked: Int? {
    guard case .channel(let number) = selection else { return nil }
    return number - 1
  }
}
