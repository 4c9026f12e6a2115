import Foundation
import TestSupport
import VoiceActivity
import VoiceMonitor

/// A part of an input, generated for a rate.
enum HealthSignal {
  case zeros(seconds: Double)
  /// Gaussian noise with an RMS in dBFS.
  case noise(dBFS: Double, seconds: Double)
  /// Noise in the `bits` least bits of 16, rounded to 16 bits.
  case dither(bits: Double, seconds: Double)
  /// 440 Hz with a peak in dBFS, clipped at full scale.
  case sine(dBFS: Double, seconds: Double)
  /// samples/telephone-8k.wav, for 8 kHz, scaled to a peak in dBFS, clipped at full scale and rounded to 16 bits.
  case speech(peakDBFS: Double)
  case gap(seconds: Double)

  private static let recording = try! TelephoneSpeech.samples(rate: 8000)

  func samples(rate: Int, using generator: inout SeededGenerator) -> [Float] {
    switch self {
    case .zeros(let seconds): [Float](repeating: 0, count: Int(seconds * Double(rate)))
    case .noise(let level, let seconds):
      gaussians(seconds, rate, &generator).map { Float($0 * pow(10, level / 20)) }
    case .dither(let bits, let seconds):
      gaussians(seconds, rate, &generator).map { Float(($0 * bits).rounded() / 32768) }
    case .sine(let level, let seconds):
      (0..<Int(seconds * Double(rate))).map { n in
        let sine = sin(2 * .pi * 440 * Double(n) / Double(rate)) * pow(10, level / 20)
        return Float(max(-1, min(1, sine)))
      }
    case .speech(let level): scaled(Self.recording, to: level)
    case .gap: []
    }
  }

  /// Returns sums of twelve uniform 16-bit numbers, which are close enough to Gaussian.
  private func gaussians(
    _ seconds: Double, _ rate: Int, _ generator: inout SeededGenerator
  ) -> [Double] {
    (0..<Int(seconds * Double(rate))).map { _ in
      var sum: UInt64 = 0
      for _ in 0..<3 {
        let bits = generator.next()
        sum += bits & 0xFFFF + bits >> 16 & 0xFFFF + bits >> 32 & 0xFFFF + bits >> 48
      }
      return Double(sum) / 65536 - 6
    }
  }

  private func scaled(_ samples: [Float], to peakDBFS: Double) -> [Float] {
    let gain = pow(10, peakDBFS / 20) / Double(samples.map(abs).max()!)
    return samples.map { sample in
      let value = (Double(sample) * gain * 32768).rounded()
      return Float(max(-32768, min(32767, value)) / 32768)
    }
  }
}

/// The tracker's results for hops, and the hops that the real detector makes of successive signals.
struct HealthRun {
  var hops: [VoiceActivityHop] = []
  /// The health after each hop.
  var states: [SignalHealth] = []
  /// The changes that the tracker returned.
  var changes: [SignalHealth] = []
  var tracker = SignalHealthTracker()

  init(_ signals: [HealthSignal], rate: Int = 16_000, seed: UInt64 = 1) throws {
    var generator = SeededGenerator(seed: seed)
    var detector = try VoiceActivityDetector(configuration: .init(sampleRate: rate))
    for signal in signals {
      if case .gap(let seconds) = signal {
        detector.pushGap(UInt64(seconds * Double(rate)), onHop: { take($0) }, onEvent: { _ in })
      } else {
        let samples = signal.samples(rate: rate, using: &generator)
        detector.process(samples.span, onHop: { take($0) }, onEvent: { _ in })
      }
    }
    detector.flush(onHop: { take($0) }, onEvent: { _ in })
  }

  init(hops: [VoiceActivityHop]) {
    for hop in hops { take(hop) }
  }

  private mutating func take(_ hop: VoiceActivityHop) {
    if let change = tracker.step(hop) { changes.append(change) }
    hops.append(hop)
    states.append(tracker.value)
  }

  /// Returns the time in seconds at the end of the first hop with a state.
  func firstTime(_ state: SignalHealth) -> Double? {
    states.firstIndex(of: state).map { Double($0 + 1) / 100 }
  }
}
