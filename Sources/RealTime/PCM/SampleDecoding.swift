extension RawSampleFormat {
  /// Decodes `count` samples from the start of `bytes` to the start of `samples`, full scale ±1.
  ///
  /// An integer of n bits is divided by 2^(n−1), as in libsndfile, so that raw PCM and the same samples in a WAV file
  /// give the same decisions.
  package func decode(_ bytes: RawSpan, count: Int, into samples: inout MutableSpan<Float>) {
    switch self {
    case .s8: each(bytes, count, &samples) { Float($0 as Int8) / 0x80 }
    case .u8: each(bytes, count, &samples) { (Float($0 as UInt8) - 0x80) / 0x80 }
    case .s16le: each(bytes, count, &samples) { Float(Int16(littleEndian: $0)) / 0x8000 }
    case .s16be: each(bytes, count, &samples) { Float(Int16(bigEndian: $0)) / 0x8000 }
    case .s24le: each24(bytes, count, &samples, places: (0, 1, 2))
    case .s24be: each24(bytes, count, &samples, places: (2, 1, 0))
    case .s32le: each(bytes, count, &samples) { Float(Int32(littleEndian: $0)) / 0x8000_0000 }
    case .s32be: each(bytes, count, &samples) { Float(Int32(bigEndian: $0)) / 0x8000_0000 }
    case .f32le: each(bytes, count, &samples) { Float(bitPattern: UInt32(littleEndian: $0)) }
    case .f32be: each(bytes, count, &samples) { Float(bitPattern: UInt32(bigEndian: $0)) }
    case .f64le:
      each(bytes, count, &samples) { Float(Double(bitPattern: UInt64(littleEndian: $0))) }
    case .f64be:
      each(bytes, count, &samples) { Float(Double(bitPattern: UInt64(bigEndian: $0))) }
    case .mulaw: each(bytes, count, &samples) { Self.muLaw($0) }
    case .alaw: each(bytes, count, &samples) { Self.aLaw($0) }
    }
  }

  /// Expands µ-law: inverted bits of sign, exponent and mantissa, with a bias of 33 on the scale of 14 bits.
  private static func muLaw(_ code: UInt8) -> Float {
    let bits = ~code
    let magnitude = (Int(bits & 0x0F) * 2 + 33) << Int(bits >> 4 & 7) - 33
    return Float(bits & 0x80 == 0 ? magnitude : -magnitude) / 0x2000
  }

  /// Expands A-law: every other bit is inverted, and the scale has 13 bits.
  private static func aLaw(_ code: UInt8) -> Float {
    let bits = code ^ 0x55
    let (exponent, mantissa) = (Int(bits >> 4 & 7), Int(bits & 0x0F) * 2 + 1)
    let magnitude = exponent == 0 ? mantissa : (mantissa + 32) << (exponent - 1)
    return Float(bits & 0x80 == 0 ? -magnitude : magnitude) / 0x1000
  }

  @inline(__always)
  private func each<Stored: FixedWidthInteger & BitwiseCopyable>(
    _ bytes: RawSpan, _ count: Int, _ samples: inout MutableSpan<Float>,
    _ value: (Stored) -> Float
  ) {
    for index in 0..<count {
      let offset = index * MemoryLayout<Stored>.size
      samples[index] = value(bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: Stored.self))
    }
  }

  /// Decodes 24-bit samples, of which the lowest, middle and highest byte stand at these places. They become the upper
  /// three of 32 bits, which preserves the sign.
  ///
  /// The precondition bounds all offsets, so that each load need not be checked.
  @inline(__always)
  private func each24(
    _ bytes: RawSpan, _ count: Int, _ samples: inout MutableSpan<Float>,
    places: (Int, Int, Int)
  ) {
    precondition(bytes.byteCount >= 3 * count)
    for index in 0..<count {
      func byte(_ place: Int) -> UInt32 {
        UInt32(bytes.unsafeLoad(fromUncheckedByteOffset: 3 * index + place, as: UInt8.self))
      }
      let word = byte(places.2) << 24 | byte(places.1) << 16 | byte(places.0) << 8
      samples[index] = Float(Int32(bitPattern: word)) / 0x8000_0000
    }
  }
}
