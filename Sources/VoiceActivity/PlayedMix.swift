internal import CPlayedMix
package import RealTime

/// Makes one channel of what several loudspeakers play, as an ``EchoReference`` does of interleaved channels, for those
/// who keep the samples before an echo gets them.
///
/// Threads: one at a time.
package struct PlayedMix {
  private var state = va_played_mix()
  private let channelCount: Int
  private let sampleRate: UInt32
  private var frames: [Float] = []

  package init(channelCount: Int, sampleRate: Int) {
    precondition(sampleRate >= 100)
    self.channelCount = channelCount
    self.sampleRate = UInt32(sampleRate)
  }

  /// Writes the mix of all channels of a block, from a frame on, to its first. Allocates only where a block is longer
  /// than those before.
  package mutating func mix(_ block: inout PCMBlock, from first: Int = 0) {
    let count = block.frameCount - first
    guard channelCount > 1, count > 0 else { return }
    block.interleave(into: &frames)
    block.withRoom(ofChannel: 0) { room in
      frames.withUnsafeMutableBufferPointer { frames in
        let played = UnsafeMutableBufferPointer(rebasing: frames[(first * channelCount)...])
        va_played_mix_take(&state, sampleRate, played.baseAddress, count, UInt32(channelCount))
        for frame in 0..<count { room[first + frame] = played[frame] }
      }
    }
  }
}
