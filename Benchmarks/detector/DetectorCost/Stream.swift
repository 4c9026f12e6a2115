import VoiceActivity

/// A detector, with counts of its events and hops.
struct Stream: ~Copyable {
  var detector: VoiceActivityDetector
  let wantsHops: Bool
  var events: UInt64 = 0
  var speechHops: UInt64 = 0

  init(rate: Int, wantsHops: Bool, isTimed: Bool) throws {
    detector = try VoiceActivityDetector(
      configuration: .init(sampleRate: rate), isTimed: isTimed)
    self.wantsHops = wantsHops
  }

  mutating func hear(_ samples: Span<Float>) {
    if wantsHops {
      detector.process(
        samples, onHop: { if $0.isSpeech { speechHops += 1 } }, onEvent: { _ in events += 1 })
    } else {
      detector.process(samples) { _ in events += 1 }
    }
  }

  mutating func hear(_ samples: Span<Int16>) {
    if wantsHops {
      detector.process(
        samples, onHop: { if $0.isSpeech { speechHops += 1 } }, onEvent: { _ in events += 1 })
    } else {
      detector.process(samples) { _ in events += 1 }
    }
  }
}
