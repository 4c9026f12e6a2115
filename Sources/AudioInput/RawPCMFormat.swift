public import RealTime

/// The format of a stream that has no header.
public struct RawPCMFormat: Sendable, Hashable {
  /// The number of frames per second, 8000 … 192000.
  public var sampleRate: Int
  /// The encoding of a sample.
  public var sampleFormat: RawSampleFormat
  /// The number of interleaved channels, 1 … 1024.
  public var channelCount: Int

  /// Creates a format. The source's initialiser checks the ranges.
  public init(
    sampleRate: Int = 16_000, sampleFormat: RawSampleFormat = .s16le, channelCount: Int = 1
  ) {
    self.sampleRate = sampleRate
    self.sampleFormat = sampleFormat
    self.channelCount = channelCount
  }

  /// The size of one frame in bytes.
  public var frameByteCount: Int { sampleFormat.byteCount * channelCount }
}

extension RawPCMFormat {
  /// Throws if detectors cannot take the rate or the number of channels.
  func check(_ name: String) throws(AudioInputError) {
    guard supportedSampleRates ~= sampleRate else { throw .sampleRate(name: name, sampleRate) }
    guard supportedChannelCounts ~= channelCount else {
      throw .channelCount(name: name, channelCount)
    }
  }
}

/// The channel counts that raw PCM and devices may have.
package let supportedChannelCounts = 1...1024
