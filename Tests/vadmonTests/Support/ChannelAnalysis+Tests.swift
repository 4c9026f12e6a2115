import RealTime

@testable import vadmon

extension ChannelAnalysis {
  /// Analyses samples of one channel.
  func process(_ samples: Span<Float>, emit: (Finding) -> Void) {
    var block = PCMBlock(channelCount: 1, capacity: max(1, samples.count))
    block.withRoom(ofChannel: 0) { room in
      for index in samples.indices { room[index] = samples[index] }
    }
    block.frameCount = samples.count
    process(block, emit: emit)
  }

  /// Analyses samples of several channels.
  func process(_ channels: [ArraySlice<Float>], emit: (Finding) -> Void) {
    var block = PCMBlock(channelCount: channels.count, capacity: max(1, channels[0].count))
    for (index, samples) in channels.enumerated() {
      block.withRoom(ofChannel: index) { _ = $0.update(fromContentsOf: samples) }
    }
    block.frameCount = channels[0].count
    process(block, emit: emit)
  }
}
