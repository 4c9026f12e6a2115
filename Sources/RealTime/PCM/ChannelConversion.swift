/// The conversion of interleaved frames to the detectors' channels: the one place where channels are mixed,
/// selected or separated. NaN stays NaN.
///
/// Devices, pipes and files deliver interleaved frames. A ring carries them as ``reduce(_:into:)`` returns them, and
/// only its reader separates the channels, with ``append(_:to:)``.
package struct ChannelConversion: Sendable {
  private let selection: ChannelSelection
  /// The number of channels in the interleaved input.
  let inputCount: Int
  /// The number of output channels.
  package var outputCount: Int { selection.outputCount(of: inputCount) }

  package init(selection: ChannelSelection, inputCount: Int) {
    self.selection = selection
    self.inputCount = inputCount
  }

  /// Appends interleaved frames to `block`, with separate channels. The block must have room for them.
  package func append(_ input: Span<Float>, to block: inout PCMBlock) {
    let held = block.frameCount
    for channel in 0..<outputCount {
      block.withRoom(ofChannel: channel) { room in
        let free = UnsafeMutableBufferPointer(rebasing: room[held...])
        write(channel, of: input, to: free)
      }
    }
    block.frameCount = held + input.count / inputCount
  }

  /// Mixes the channels of interleaved frames or selects one, and writes the result to the start of `output`. Frames of
  /// which every channel is wanted are copied as they are. Returns the number of samples.
  package func reduce(
    _ input: Span<Float>, into output: UnsafeMutableBufferPointer<Float>
  ) -> Int {
    if selection.keepsChannels {
      input.withUnsafeBufferPointer { _ = output.update(fromContentsOf: $0) }
    } else {
      write(0, of: input, to: output)
    }
    return input.count / inputCount * outputCount
  }

  /// Writes one output channel.
  ///
  /// The precondition bounds the output; the input holds whole frames, so all indices are within both buffers. The
  /// pointers do not outlive the call.
  private func write(
    _ channel: Int, of input: Span<Float>, to output: UnsafeMutableBufferPointer<Float>
  ) {
    let frameCount = input.count / inputCount
    guard frameCount > 0 else { return }
    precondition(output.count >= frameCount)
    input.withUnsafeBufferPointer { input in
      let (input, output) = (input.baseAddress!, output.baseAddress!)
      switch (selection, inputCount) {
      case (_, 1): output.update(from: input, count: frameCount)
      case (.mix, 2): mixPairs(input, frameCount, output)
      case (.mix, 3...): mix(input, frameCount, output)
      default: pick(picked ?? channel, input, frameCount, output)
      }
    }
  }

  private func pick(
    _ channel: Int, _ input: UnsafePointer<Float>, _ frameCount: Int,
    _ output: UnsafeMutablePointer<Float>
  ) {
    for frame in 0..<frameCount { output[frame] = input[frame * inputCount + channel] }
  }

  /// Mixes two channels, the usual case, in a loop that the compiler can vectorise.
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

  /// The index, from 0, of the only channel selected.
  private var picked: Int? {
    guard case .channel(let number) = selection else { return nil }
    return number - 1
  }
}
