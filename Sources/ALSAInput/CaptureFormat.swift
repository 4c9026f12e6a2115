internal import CALSA
internal import RealTime

/// A device's sample format, under ALSA's names.
public enum CaptureFormat: String, Sendable, Hashable, CaseIterable, CustomStringConvertible {
  /// 16-bit integers.
  case s16 = "S16_LE"
  /// 32-bit integers.
  case s32 = "S32_LE"
  /// 24-bit integers in the lower three of 4 bytes; the fourth may hold anything.
  case s24 = "S24_LE"
  /// 24-bit integers in 3 bytes.
  case s24Packed = "S24_3LE"
  /// 32-bit IEEE 754 numbers, full scale ±1.
  case float32 = "FLOAT_LE"

  public var description: String { rawValue }

  /// The format as streams without a header have it, too; `nil` for 24 bits in 4 bytes.
  private var raw: RawSampleFormat? {
    switch self {
    case .s16: .s16le
    case .s32: .s32le
    case .s24: nil
    case .s24Packed: .s24le
    case .float32: .f32le
    }
  }

  /// The number of bytes of one sample of one channel.
  var byteCount: Int { raw?.byteCount ?? 4 }

  var alsaFormat: snd_pcm_format_t {
    switch self {
    case .s16: SND_PCM_FORMAT_S16_LE
    case .s32: SND_PCM_FORMAT_S32_LE
    case .s24: SND_PCM_FORMAT_S24_LE
    case .s24Packed: SND_PCM_FORMAT_S24_3LE
    case .float32: SND_PCM_FORMAT_FLOAT_LE
    }
  }

  /// Decodes `count` samples from the start of `bytes` to the start of `samples`, full scale ±1.
  func decode(_ bytes: RawSpan, count: Int, into samples: inout MutableSpan<Float>) {
    if let raw { return raw.decode(bytes, count: count, into: &samples) }
    for index in 0..<count {
      let word = bytes.unsafeLoadUnaligned(fromByteOffset: index * 4, as: UInt32.self)
      samples[index] = Float(Int32(bitPattern: UInt32(littleEndian: word) << 8)) / 0x8000_0000
    }
  }
}
