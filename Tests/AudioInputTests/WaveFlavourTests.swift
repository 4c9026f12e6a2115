import AudioInput
import Foundation
import TestSupport
import Testing

/// The samples decoded from every flavour of WAV, compared with those that the test stored.
@Suite struct WaveFlavourTests {
  let folder = TemporaryFolder()

  private func decodedBytes(_ bytes: [UInt8]) throws -> [[Float]] {
    let decoded = try decode(try folder.write(bytes))
    #expect(decoded.warnings == [])
    return decoded.channels
  }

  @Test func unsigned8BitSamplesAreDecoded() throws {
    let samples: [UInt8] = noise(1000)
    let wave = WaveWriter(bitsPerSample: 8, data: samples)
    #expect(try decodedBytes(wave.bytes()) == [samples.map { (Float($0) - 128) / 128 }])
  }

  @Test func signed16BitSamplesAreDecoded() throws {
    let samples: [Int16] = noise(1000)
    let wave = WaveWriter(data: int16Bytes(samples))
    #expect(try decodedBytes(wave.bytes()) == [scaled(samples)])
  }

  @Test func signed24BitSamplesAreDecoded() throws {
    let samples: [Int32] = noise(1000).map { $0 >> 8 }
    let data = samples.flatMap { littleEndian($0).prefix(3) }
    let wave = WaveWriter(bitsPerSample: 24, data: data)
    #expect(try decodedBytes(wave.bytes()) == [samples.map { Float($0) / 8_388_608 }])
  }

  @Test func signed32BitSamplesAreDecoded() throws {
    let samples: [Int32] = noise(1000)
    let wave = WaveWriter(bitsPerSample: 32, data: samples.flatMap { littleEndian($0) })
    #expect(try decodedBytes(wave.bytes()) == [samples.map { Float($0) / 2_147_483_648 }])
  }

  @Test func float32KeepsNaNAndValuesBeyondFullScale() throws {
    let samples: [Float] = [
      0, -0.0, 1, -1, 3.5, -1e20, .leastNonzeroMagnitude, .infinity, -.infinity, .nan,
    ]
    let wave = WaveWriter(
      formatTag: 3, bitsPerSample: 32, data: samples.flatMap { littleEndian($0.bitPattern) })
    let decoded = try decodedBytes(wave.bytes())[0]
    #expect(decoded.dropLast() == samples.dropLast())
    #expect(decoded.last!.isNaN)
  }

  @Test func float64SamplesAreDecoded() throws {
    let samples: [Double] = [0, 0.1, -1.0 / 3, 1, -2.5, 1e-30]
    let wave = WaveWriter(
      formatTag: 3, bitsPerSample: 64, data: samples.flatMap { littleEndian($0.bitPattern) })
    #expect(try decodedBytes(wave.bytes()) == [samples.map { Float($0) }])
  }

  @Test(arguments: [(UInt16(1), UInt16(16)), (1, 24), (1, 32), (3, 32)])
  func extensibleFormatsAreDecoded(subformat: UInt16, bits: UInt16) throws {
    let values: [Int16] = noise(600)
    let data = values.flatMap { value -> [UInt8] in
      if subformat == 3 { return littleEndian((Float(value) / 32768).bitPattern) }
      return Array(repeating: 0, count: Int(bits / 8) - 2) + littleEndian(value)
    }
    let wave = WaveWriter(
      formatTag: 0xFFFE, channelCount: 3, sampleRate: 48_000, bitsPerSample: bits,
      formatExtension: WaveWriter.extensible(subformat: subformat, validBits: bits, speakers: 7),
      data: data)
    let all = scaled(values)
    let expected = (0..<3).map { channel in
      stride(from: channel, to: all.count, by: 3).map { all[$0] }
    }
    #expect(try decodedBytes(wave.bytes()) == expected)
  }

  @Test func bigEndianRIFXIsDecoded() throws {
    let samples: [Int16] = noise(1000)
    let wave = WaveWriter(form: "RIFX", data: samples.flatMap { littleEndian($0, reversed: true) })
    #expect(try decodedBytes(wave.bytes()) == [scaled(samples)])
  }

  @Test(arguments: ["RF64", "BW64"])
  func longFormsAreDecoded(form: String) throws {
    let samples: [Int16] = noise(1000)
    let wave = WaveWriter(
      form: form, data: int16Bytes(samples), claimedDataSize: .max, claimedFormSize: .max,
      claimedLongSizes: (form: 2072, data: 2000))
    #expect(try decodedBytes(wave.bytes()) == [scaled(samples)])
  }

  /// G.711 as ITU-T's text defines it: sign, exponent, mantissa.
  @Test func muLawIsDecoded() throws {
    let codes: [UInt8] = Array(0...255)
    let wave = WaveWriter(formatTag: 7, sampleRate: 8000, bitsPerSample: 8, data: codes)
    let expected = codes.map { code -> Float in
      let (exponent, mantissa) = (Int(~code >> 4 & 7), Int(~code & 15))
      let magnitude = ((mantissa << 3) + 132) << exponent - 132
      return Float(code & 0x80 == 0 ? -magnitude : magnitude) / 32768
    }
    #expect(try decodedBytes(wave.bytes()) == [expected])
  }

  @Test func aLawIsDecoded() throws {
    let codes: [UInt8] = Array(0...255)
    let wave = WaveWriter(formatTag: 6, sampleRate: 8000, bitsPerSample: 8, data: codes)
    let expected = codes.map { code -> Float in
      let (exponent, mantissa) = (Int((code ^ 0x55) >> 4 & 7), Int((code ^ 0x55) & 15))
      let base = (mantissa << 4) + 8
      let magnitude = exponent == 0 ? base : (base + 256) << (exponent - 1)
      return Float(code & 0x80 == 0 ? -magnitude : magnitude) / 32768
    }
    #expect(try decodedBytes(wave.bytes()) == [expected])
  }

  /// SoX's own decoder is the reference.
  @Test(arguments: ["ima-adpcm", "ms-adpcm"], [1, 2])
  func adpcmIsDecoded(encoding: String, channelCount: Int) throws {
    let signal = tone(440, count: 16_000, rate: 16_000)
    let frames = signal.flatMap { Array(repeating: $0, count: channelCount) }
    let plain = WaveWriter(channelCount: UInt16(channelCount), data: int16Bytes(int16(frames)))
    try folder.write(plain.bytes(), to: "plain.wav")
    try Tool.run(
      "sox -D plain.wav -e \(encoding) coded.wav && sox -D coded.wav -e signed -b 16 again.wav",
      in: folder)
    let (coded, again) = (
      try decode(folder.file("coded.wav")), try decode(folder.file("again.wav"))
    )
    // The last block is padded, and neither decoder removes the padding.
    #expect(16_000..<17_024 ~= coded.frameCount)
    #expect(coded.channels == again.channels)
    #expect(coded.warnings == [])
    #expect(bestCorrelation(coded.channels[0], signal, lag: 0).value > 0.999)
  }

  @Test(arguments: [8000, 11_025, 22_050, 44_100, 48_000, 96_000, 192_000])
  func everyRateIsReported(rate: Int) throws {
    let path = try folder.write(WaveWriter(sampleRate: UInt32(rate), data: [1, 2, 3, 4]).bytes())
    let source = try AudioFileSource(path: path)
    #expect(source.sampleRate == rate)
    #expect(source.expectedFrameCount == 2)
    #expect(source.formatName.contains("16 bit PCM"))
  }

  @Test func chunksOfAllKindsMaySurroundTheData() throws {
    let samples: [Int16] = noise(1001)
    var wave = WaveWriter(data: int16Bytes(samples))
    wave.before =
      wave.chunk("JUNK", [1, 2, 3])
      + wave.chunk("LIST", Array("INFOISFT".utf8) + [2, 0, 0, 0, 65, 0])
      + wave.chunk("bext", Array(repeating: 7, count: 602)) + wave.chunk("fact", [233, 3, 0, 0])
      + wave.chunk("zzzz", []) + wave.chunk("PAD ", Array(repeating: 0, count: 70_001))
    wave.behind =
      wave.chunk("LIST", Array("INFOICMT".utf8) + [2, 0, 0, 0, 65, 0]) + wave.chunk("id3 ", [9])
    #expect(try decodedBytes(wave.bytes()) == [scaled(samples)])
  }
}
