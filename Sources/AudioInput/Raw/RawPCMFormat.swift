internal import RealTime

/// The encoding of samples without a header. The names are ffmpeg's (`ffmpeg -formats`).
public enum RawSampleFormat: String, Sendable, Hashable, CaseIterable {
  /// 8 bits, signed or unsigned.
  case s8, u8
  /// 16 bits, signed, little or big endian.
  case s16le, s16be
  /// 24 bits in 3 bytes, signed, little or big endian.
  case s24le, s24be
  /// 32 bits, signed, little or big endian.
  case s32le, s32be
  /// IEEE 754 floats of 32 or 64 bits, full scale ±1, little or big endian.
  case f32le, f32be, f64le, f64be

  /// The size in bytes of one sample of one channel.
  public var byteCount: Int {
    switch self {
    case .s8, .u8: 1
    case .s16le, .s16be: 2
    case .s24le, .s24be: 3
    case .s32le, .s32be, .f32le, .f32be: 4
    case .f64le, .f64be: 8
    }
  }
}

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
