internal import VoiceActivity

/// Turns interleaved frames into what the detectors hear: the one place where channels are mixed,
/// picked or taken apart.
struct ChannelConversion: Sendable {
  let selection: ChannelSelection
  /// Channels of the interleaved input.
  let inputCount: Int
  /// Channels of the block.
  var outputCount: Int { selection.outputCount(of: inputCount) }

  /// Converts `frameCount` frames into `block`, which has room for them. NaN stays NaN.
  func convert(_ input: Span<Float>, frameCount: Int, into block: inout PCMBlock) {
    switch selection {
    case .mix where inputCount > 1: mix(input, frameCount, &block)
    case .channel(let number): pick(number - 1, input, frameCount, 0, &block)
    case .mix, .each:
      for channel in 0..<inputCount { pick(channel, input, frameCount, channel, &block) }
    }
    block.frameCount = frameCount
  }

  private func pick(
    _ channel: Int, _ input: Span<Float>, _ frameCount: Int, _ output: Int,
    _ block: inout PCMBlock
  ) {
    block.withRoom(ofChannel: output) { room in
      var index = channel
      for frame in 0..<frameCount {
        room[frame] = input[index]
        index += inputCount
      }
    }
  }

  private func mix(_ input: Span<Float>, _ frameCount: Int, _ block: inout PCMBlock) {
    let scale = 1 / Float(inputCount)
    block.withRoom(ofChannel: 0) { room in
      for frame in 0..<frameCount {
        var sum: Float = 0
        for channel in 0..<inputCount { sum += input[frame * inputCount + channel] }
        room[frame] = sum * scale
      }
    }
  }
}
