import Foundation
import RealTime
import SystemPackage
import TestSupport
import Testing

@testable import AudioInput

/// Frames of MPEG audio on standard input, and PCM that resembles them.
@Suite struct MPEGRecognitionTests {
  private let folder = TemporaryFolder()

  private func formatName(_ bytes: [UInt8]) throws -> String {
    let descriptor = try FileDescriptor.open(try folder.write(bytes), .readOnly)
    let stream = try ByteStream(descriptor, name: "input", closing: true)
    return try AudioFileSource(stream, rawFormat: RawPCMFormat(), isRaw: false).formatName
  }

  /// The bytes of one sample, of 1 to 3 bytes.
  private func bytes(_ sample: Int, _ format: RawSampleFormat) -> [UInt8] {
    let wide = UInt32(truncatingIfNeeded: sample << (32 - 8 * format.byteCount))
    let bigEndian = withUnsafeBytes(of: wide.bigEndian) { Array($0.prefix(format.byteCount)) }
    return format.rawValue.hasSuffix("le") ? bigEndian.reversed() : bigEndian
  }

  /// Noise of a normal distribution on a sine of a random frequency, or on silence.
  private func signal(
    _ deviation: Double, _ random: inout SeededGenerator, count: Int
  ) -> [Int] {
    let amplitude = [0, 0, 1.5, 20, 600].randomElement(using: &random)!
    let step = 2 * Double.pi / Double(Int.random(in: 4...400, using: &random))
    return (0..<count).map { index in
      let uniform = (0..<12).reduce(-6) { sum, _ in sum + Double.random(in: 0..<1, using: &random) }
      return Int((amplitude * sin(step * Double(index)) + deviation * uniform).rounded())
    }
  }

  /// The sample −1 is like the first bytes of a frame of layer I, and small samples behind it like a free bit rate.
  /// Each begins with such samples.
  @Test(arguments: [.s8, .s16le, .s16be, .s24le, .s24be] as [RawSampleFormat])
  func quietPCMIsNoMPEG(format: RawSampleFormat) throws {
    var random = SeededGenerator(seed: 7)
    for deviation in [0.1, 0.3, 0.5, 1, 2, 5, 10, 30, 100, 300] {
      for head in [[], [-1, 1], [-1, 0, -1], [-5, 1], [-257, 80], [-1025, 0]] {
        let samples = head + signal(deviation, &random, count: (1 << 16) / format.byteCount)
        let pcm = samples.flatMap { bytes($0, format) }
        #expect(try formatName(pcm) == "raw PCM, s16le", "\(deviation), \(head)")
      }
    }
  }

  /// Returns what a command writes to "a" from a sound in "a.wav".
  private func encoded(_ command: String) throws -> [UInt8] {
    let wave = WaveWriter(
      sampleRate: 44_100, data: int16Bytes(int16(glide(rate: 44_100, seconds: 2))))
    try folder.write(wave.bytes(), to: "a.wav")
    try Tool.run(command, in: folder)
    return try folder.read("a")
  }

  /// Behind foreign bytes too.
  @Test(arguments: [
    "-b:a 32k -ac 1 -f mp2", "-ar 22050 -b:a 64k -f mp2", "-b:a 320k -f mp3",
    "-q:a 9 -ar 8000 -f mp3",
    "-b:a 64k -write_xing 0 -f mp3",
  ])
  func framesOfEveryLayerAreMPEG(options: String) throws {
    let frames = try encoded("ffmpeg -y -i a.wav \(options) a")
    for junk in [[], Array("foreign".utf8), [UInt8](repeating: 0xFF, count: 1001)] {
      #expect(try formatName(junk + frames).hasPrefix("MPEG"), "\(junk.count)")
    }
  }

  /// A head that counts anywhere shows that the bytes in front of it are not PCM. Three frames alone do not.
  @Test func threeFramesInFrontOfAWaveAreMPEG() throws {
    let frames = try encoded("lame --quiet -t -b 8 -m m --resample 8 a.wav a").prefix(3 * 72)
    let wave = WaveWriter(data: int16Bytes(int16(glide(rate: 16_000, seconds: 1)))).bytes()
    #expect(try formatName(frames + wave).hasPrefix("MPEG"))
    #expect(try formatName(Array("foreign".utf8) + frames + wave).hasPrefix("MPEG"))
  }

  /// The bit rate is free where the index of the header is 0, so that only the next header tells a frame's length.
  @Test(arguments: ["-b 160", "-b 320 --resample 32", "-b 96 -m m"])
  func framesOfAFreeBitRateAreMPEG(options: String) throws {
    let frames = try encoded("lame --quiet --freeformat -t \(options) a.wav a")
    #expect(frames[2] & 0xF0 == 0)
    #expect(try formatName(frames).hasPrefix("MPEG"))
  }
}
