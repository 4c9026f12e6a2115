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
  /// 8 bits that stand for 14 or 13 (ITU-T G.711): µ-law and A-law.
  case mulaw, alaw

  /// The size in bytes of one sample of one channel.
  public var byteCount: Int {
    switch self {
    case .s8, .u8, .mulaw, .alaw: 1
    case .s16le, .s16be: 2
    case .s24le, .s24be: 3
    case .s32le, .s32be, .f32le, .f32be: 4
    case .f64le, .f64be: 8
    }
  }

  /// Whether a sample may have more bits than a float of 32 bits holds.
  package var exceedsFloats: Bool {
    switch self {
    case .s32le, .s32be, .f64le, .f64be: true
    default: false
    }
  }

  /// The bits of an integer sample, 16 for one of G.711; `nil` for floats.
  package var bitsPerSample: Int? {
    switch self {
    case .f32le, .f32be, .f64le, .f64be: nil
    case .mulaw, .alaw: 16
    default: 8 * byteCount
    }
  }
}
