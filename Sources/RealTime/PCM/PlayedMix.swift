/// Makes one channel of what several loudspeakers play, for an echo to be compared with: the mean, in which channels that
/// are in opposite phase do not cancel.
///
/// A microphone hears such channels over two ways, where they do not cancel either. So a channel that is most of the time
/// the opposite of the first counts inverted. Signs change at every 10 ms only, whatever the chunks.
///
/// Threads: one at a time.
package struct PlayedMix {
  /// What is known of a channel. Sums are of the present 10 ms, means over a second.
  fileprivate struct Channel {
    var sign: Float = 1
    var product: Float = 0, power: Float = 0  // sums, the product with the first channel
    var meanProduct: Float = 0, meanPower: Float = 0
  }

  private var channels: [Channel]
  private let stretch: Int
  /// How much of the present 10 ms is over, in frames.
  private var filled = 0
  private var frames: [Float] = []

  /// A channel is inverted where its correlation with the first is below −0.5, until it is above 0.
  private static let opposite: Float = -0.5
  /// The weight of 10 ms in a mean.
  private static let weight: Float = 0.01

  package init(channelCount: Int, sampleRate: Int) {
    channels = Array(repeating: Channel(), count: channelCount)
    stretch = max(sampleRate / 100, 1)
  }

  /// Writes the mix of all channels of a block to its first. Allocates only where a block is longer than those before.
  package mutating func mix(_ block: inout PCMBlock) {
    guard channels.count > 1 else { return }
    block.interleave(into: &frames)
    let count = block.frameCount
    block.withRoom(ofChannel: 0) { room in
      for frame in 0..<count { room[frame] = mixed(frame * channels.count) }
    }
  }

  private mutating func mixed(_ at: Int) -> Float {
    var sum: Float = 0
    for index in channels.indices {
      let sample = frames[at + index]
      sum += channels[index].sign * sample
      let product = sample * frames[at]
      let power = sample * sample
      guard product.isFinite, power.isFinite else { continue }
      channels[index].product += product
      channels[index].power += power
    }
    filled += 1
    if filled == stretch { endStretch() }
    return sum / Float(channels.count)
  }

  private mutating func endStretch() {
    filled = 0
    for index in channels.indices { channels[index].endStretch(weight: Self.weight) }
    for index in channels.indices.dropFirst() {
      let alike = channels[index].meanProduct
      let most = (channels[0].meanPower * channels[index].meanPower).squareRoot()
      if alike < Self.opposite * most {
        channels[index].sign = -1
      } else if alike > 0 {
        channels[index].sign = 1
      }
    }
  }
}

extension PlayedMix.Channel {
  fileprivate mutating func endStretch(weight: Float) {
    meanProduct += weight * (product - meanProduct)
    meanPower += weight * (power - meanPower)
    (product, power) = (0, 0)
  }
}
