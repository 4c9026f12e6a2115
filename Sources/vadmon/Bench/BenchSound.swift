import Annotations
import AudioInput
import Glibc
import RealTime
import SystemPackage

/// The samples that are analysed, in portions of 10 ms.
struct BenchSound: Sendable {
  let sampleRate: Int
  let samples: [Float]

  /// The rates of made-up sound.
  static let rates = [8000, 16_000, 44_100, 48_000]
  /// In seconds.
  private static let length = 10

  /// The number of samples in a portion: 10 ms, rounded down.
  var hopLength: Int { sampleRate / 100 }
  /// The length of a portion in units of 10 ms.
  var hopShare: Double { Double(100 * hopLength) / Double(sampleRate) }
  /// The number of whole portions.
  var hops: Int { samples.count / hopLength }

  /// Makes up sound like speech: 120 Hz with harmonics that fall by 6 dB an octave, in syllables of 4 Hz, with a pause
  /// in every third second, over noise 50 dB below full scale.
  init(sampleRate: Int) {
    self.sampleRate = sampleRate
    var noise = Noise()
    samples = (0..<Self.length * sampleRate).map { index in
      let time = Double(index) / Double(sampleRate)
      let phase = 2 * Double.pi * 120 * time
      let voice = (1...20).reduce(0.0) { $0 + sin(Double($1) * phase) / Double($1) }
      let syllable = max(0, sin(2 * Double.pi * 4 * time))
      let isPause = Int(time) % 3 == 2
      return Float(isPause ? 0 : 0.1 * syllable * voice) + 0.003 * noise.next()
    }
  }

  /// Reads the beginning of a recording, all channels mixed.
  init(_ path: FilePath) throws(RunError) {
    do {
      let source = try AudioFileSource(path: path, channels: .mix, logger: nil)
      sampleRate = source.sampleRate
      let most = Self.length * sampleRate
      var samples: [Float] = []
      var block = PCMBlock(channelCount: source.channelCount)
      while samples.count < most, try source.read(into: &block) {
        block.withSamples(ofChannel: 0) { span in
          for index in span.indices { samples.append(span[index]) }
        }
      }
      self.samples = Array(samples.prefix(most))
    } catch {
      throw RunError(ErrorRecord(file: path.nameAsInput, error))
    }
    // The detector does not analyse silence, whose cost would mislead.
    guard hops > 0, samples.contains(where: { $0.magnitude > 1e-4 }) else {
      throw RunError(
        "\(path.nameAsInput) has too little sound in its first \(Self.length) s: name another recording",
        exitCode: ExitStatus.badData)
    }
  }

  /// White noise, −1 … 1, the same in each run (the generator of "Numerical Recipes", 1992).
  private struct Noise {
    private var state: UInt32 = 1

    mutating func next() -> Float {
      state = state &* 1_664_525 &+ 1_013_904_223
      return Float(Int32(bitPattern: state)) / Float(Int32.max)
    }
  }
}
