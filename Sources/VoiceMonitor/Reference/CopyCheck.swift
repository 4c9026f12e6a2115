/// Tells whether a microphone delivers the samples of its reference themselves, as if both were one device, or one a
/// copy of the other. Beside itself, all of a microphone is echo.
///
/// It correlates half a second of both, at about 4 kHz, and up to 50 ms apart. No room leaves an echo so like what
/// plays. Because that costs more than detection, it ends after a few looks at sound.
struct CopyCheck {
  /// Whether the microphone was found to be a copy.
  private(set) var hasFoundCopy = false

  /// What one of both has delivered, at about 4 kHz.
  private struct Track {
    private let factor: Int
    private var sum: Float = 0
    private var summed = 0
    private(set) var samples: [Float] = []

    init(sampleRate: Int) {
      factor = max(1, sampleRate / CopyCheck.rate)
      samples.reserveCapacity(CopyCheck.length)
    }

    var isFull: Bool { samples.count == CopyCheck.length }

    mutating func append(_ sample: Float) {
      sum += sample.isFinite ? sample : 0
      summed += 1
      guard summed == factor, !isFull else { return }
      samples.append(sum / Float(factor))
      (sum, summed) = (0, 0)
    }

    mutating func clear() {
      samples.removeAll(keepingCapacity: true)
      (sum, summed) = (0, 0)
    }
  }

  fileprivate static let rate = 4000
  /// How much later than the reference the microphone may be, in samples. The reference is given early
  /// (``ReferenceFeed/lead``).
  private static let lags = -120...280
  private static let compared = 2000
  fileprivate static let length = compared + lags.upperBound - lags.lowerBound
  /// How many looks at sound are enough.
  private static let looks = 8
  /// The mean square above which there is sound: −60 dBFS.
  private static let leastPower: Float = 1e-6
  private static let leastCorrelation: Float = 0.9

  private var microphone: Track
  private var reference: Track
  private var looksLeft = looks

  init(microphoneRate: Int, referenceRate: Int) {
    microphone = Track(sampleRate: microphoneRate)
    reference = Track(sampleRate: referenceRate)
  }

  var isOver: Bool { looksLeft == 0 || hasFoundCopy }

  /// Begins anew, because one of both may be another device.
  mutating func restart() {
    (looksLeft, hasFoundCopy) = (Self.looks, false)
    clear()
  }

  /// Forgets what was heard, because one of both has lost something.
  mutating func clear() {
    microphone.clear()
    reference.clear()
  }

  mutating func play(_ samples: Span<Float>) {
    for index in samples.indices { reference.append(samples[index]) }
  }

  mutating func playSilence(_ count: Int) { for _ in 0..<count { reference.append(0) } }

  /// Takes the microphone's samples of the time of the newest reference, and compares both once there are enough.
  mutating func compare(_ samples: Span<Float>) {
    for index in samples.indices { microphone.append(samples[index]) }
    guard microphone.isFull, reference.isFull else { return }
    look()
    clear()
  }

  private mutating func look() {
    let heard = microphone.samples[Self.lags.upperBound...].prefix(Self.compared)
    let power = heard.reduce(0) { $0 + $1 * $1 }
    guard power > Self.leastPower * Float(Self.compared) else { return }
    looksLeft -= 1
    hasFoundCopy = Self.lags.contains { lag in
      let played = reference.samples[(Self.lags.upperBound - lag)...].prefix(Self.compared)
      var (product, playedPower): (Float, Float) = (0, 0)
      for (one, other) in zip(heard, played) {
        product += one * other
        playedPower += other * other
      }
      return product > 0
        && product * product
          > Self.leastCorrelation * Self.leastCorrelation * power * playedPower
    }
  }
}
