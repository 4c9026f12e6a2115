/// How samples without a header are stored. The names are ffmpeg's (`ffmpeg -formats`).
public enum RawSampleFormat: String, Sendable, Hashable, CaseIterable {
  /// 8 bits, signed and unsigned.
  case s8, u8
  /// 16 bits, signed, little and big endian.
  case s16le, s16be
  /// 24 bits in 3 bytes, signed.
  case s24le, s24be
  /// 32 bits, signed.
  case s32le, s32be
  /// IEEE 754, full scale ±1.
  case f32le, f32be, f64le, f64be

  /// Bytes of one sample of one channel.
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

/// Everything that a stream without a header does not say of itself.
public struct RawPCMFormat: Sendable, Hashable {
  /// Frames per second, 8000 … 192000.
  public var sampleRate: Int
  /// How a sample is written.
  public var sampleFormat: RawSampleFormat
  /// Interleaved channels, 1 … 1024.
  public var channelCount: Int

  /// A format.
  public init(sampleRate: Int, sampleFormat: RawSampleFormat = .s16le, channelCount: Int = 1) {
    self.sampleRate = sampleRate
    self.sampleFormat = sampleFormat
    self.channelCount = channelCount
  }

  /// Bytes of one frame.
  public var frameByteCount: Int { sampleFormat.byteCount * channelCount }
}

extension RawPCMFormat {
  /// Throws if detectors cannot take it.
  func check(_ name: String) throws(AudioInputError) {
    guard supportedSampleRates ~= sampleRate else { throw .sampleRate(name: name, sampleRate) }
    guard 1...1024 ~= channelCount else { throw .channelCount(name: name, channelCount) }
  }
}
