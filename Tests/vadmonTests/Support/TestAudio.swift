import AudioInput
import Foundation
import RealTime
import SystemPackage
import TestSupport

/// Recordings that the tests generate.
enum TestAudio {
  /// Returns a voice without pauses, from samples/, repeated as necessary.
  static func voice(seconds: Double, rate: Int = 16_000) -> [Float] {
    let step = 16_000 / Double(rate)
    return (0..<Int(seconds * Double(rate))).map { index in
      // Linear interpolation between samples is good enough for a voice at another rate.
      let (whole, part) = modf(Double(index) * step)
      let first = speech[Int(whole) % speech.count]
      return first + Float(part) * (speech[(Int(whole) + 1) % speech.count] - first)
    }
  }

  /// The longest labelled phrase of samples/speech.flac, 16 kHz.
  private static let speech: [Float] = {
    let longest = try! labels(of: "speech").max { $0.count < $1.count }!
    let source = try! AudioFileSource(path: FilePath(samples + "/speech.flac"))
    return Array(try! read(source)[longest.lowerBound * 16..<longest.upperBound * 16])
  }()

  /// The package's folder of samples.
  static let samples = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../../samples").standardized.path

  /// Returns the speech in one of the samples, in ms.
  static func labels(of sample: String) throws -> [Range<Int>] {
    let text = try String(contentsOfFile: samples + "/\(sample).txt", encoding: .utf8)
    return text.split(separator: "\n").map { line in
      let times = line.split(separator: "\t").prefix(2).map { Int((Double($0)! * 1000).rounded()) }
      return times[0]..<times[1]
    }
  }

  /// Returns the samples of the first channel.
  static func read(_ source: any RecordedSource) throws -> [Float] {
    var samples: [Float] = []
    var block = PCMBlock(channelCount: source.channelCount)
    while try source.read(into: &block) {
      block.withSamples(ofChannel: 0) { span in
        for index in span.indices { samples.append(span[index]) }
      }
    }
    return samples
  }

  static func silence(seconds: Double, rate: Int = 16_000) -> [Float] {
    Array(repeating: 0, count: Int(seconds * Double(rate)))
  }

  /// Returns silence, voice, silence.
  static func utterance(rate: Int = 16_000) -> [Float] {
    silence(seconds: 1, rate: rate) + voice(seconds: 1.5, rate: rate)
      + silence(seconds: 1, rate: rate)
  }

  /// Returns 16-bit samples, little endian, channels interleaved.
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

  /// Returns IEEE floats, one channel.
  static func float32(_ samples: [Float]) -> Data {
    samples.reduce(into: Data()) { data, sample in
      withUnsafeBytes(of: sample.bitPattern.littleEndian) { data.append(contentsOf: $0) }
    }
  }

  /// Returns a RIFF/WAVE file (Microsoft, "Multimedia Programming Interface and Data Specifications 1.0").
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
