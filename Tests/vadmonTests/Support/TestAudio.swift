import Foundation

/// Recordings that the tests make themselves.
enum TestAudio {
  /// A voice-like buzz: harmonics of 140 Hz under two formants, four syllables a second, which any
  /// speech detector should take for more than silence.
  static func voice(seconds: Double, rate: Int = 16_000) -> [Float] {
    // All its frequencies are whole numbers of Hz, so that one second goes on for ever.
    let second = voiceSecond(rate: rate)
    return (0..<Int(seconds * Double(rate))).map { second[$0 % rate] }
  }

  private static func voiceSecond(rate: Int, gain: Double = 0.2) -> [Float] {
    let harmonics = (1...12).map { number in
      let frequency = 140 * Double(number)
      return (
        frequency: frequency, level: gain * formants(at: frequency), phase: Double(number * number)
      )
    }
    return (0..<rate).map { index in
      let time = Double(index) / Double(rate)
      let syllable = 0.6 - 0.4 * cos(2 * .pi * 4 * time)
      var sum = 0.0
      for harmonic in harmonics {
        sum += harmonic.level * sin(2 * .pi * harmonic.frequency * time + harmonic.phase)
      }
      return Float(syllable * sum)
    }
  }

  private static func formants(at frequency: Double) -> Double {
    0.05 + exp(-pow((frequency - 500) / 250, 2)) + exp(-pow((frequency - 1500) / 250, 2))
  }

  static func silence(seconds: Double, rate: Int = 16_000) -> [Float] {
    Array(repeating: 0, count: Int(seconds * Double(rate)))
  }

  /// Silence, voice, silence.
  static func utterance(rate: Int = 16_000) -> [Float] {
    silence(seconds: 1, rate: rate) + voice(seconds: 1.5, rate: rate)
      + silence(seconds: 1, rate: rate)
  }

  /// 16-bit samples, little endian, channels interleaved.
  static func pcm16(_ channels: [Float]...) -> Data {
    var data = Data(capacity: channels.count * channels[0].count * 2)
    for frame in channels[0].indices {
      for channel in channels {
        let sample = Int16(max(-32768, min(32767, (channel[frame] * 32768).rounded())))
        withUnsafeBytes(of: sample.littleEndian) { data.append(contentsOf: $0) }
      }
    }
    return data
  }

  /// IEEE floats, one channel.
  static func float32(_ samples: [Float]) -> Data {
    samples.reduce(into: Data()) { data, sample in
      withUnsafeBytes(of: sample.bitPattern.littleEndian) { data.append(contentsOf: $0) }
    }
  }

  /// A RIFF/WAVE file (Microsoft, "Multimedia Programming Interface and Data Specifications 1.0").
  static func wav(
    _ payload: Data, rate: Int = 16_000, channels: Int = 1, bits: Int = 16, isFloat: Bool = false
  ) -> Data {
    func number<Number: FixedWidthInteger>(_ value: Number) -> Data {
      withUnsafeBytes(of: value.littleEndian) { Data($0) }
    }
    let frame = channels * bits / 8
    var data = Data("RIFF".utf8) + number(UInt32(36 + payload.count)) + Data("WAVEfmt ".utf8)
    data += number(UInt32(16)) + number(UInt16(isFloat ? 3 : 1)) + number(UInt16(channels))
    data += number(UInt32(rate)) + number(UInt32(rate * frame)) + number(UInt16(frame))
    data += number(UInt16(bits)) + Data("data".utf8) + number(UInt32(payload.count))
    return data + payload
  }

  static func wav(_ samples: [Float], rate: Int = 16_000) -> Data {
    wav(pcm16(samples), rate: rate)
  }
}
