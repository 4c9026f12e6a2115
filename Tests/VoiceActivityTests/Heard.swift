import VoiceActivity

/// Everything that a detector has reported.
struct Heard: Equatable {
  var hops: [VoiceActivityHop] = []
  var events: [VoiceActivityEvent] = []

  mutating func note(_ hop: VoiceActivityHop) { hops.append(hop) }
  mutating func note(_ event: VoiceActivityEvent) { events.append(event) }

  func positions(_ kind: VoiceActivityEvent.Kind) -> [UInt64] {
    events.filter { $0.kind == kind }.map(\.position)
  }
}

extension VoiceActivityDetector {
  mutating func process(_ samples: Span<Float>, into heard: inout Heard) {
    process(samples, onHop: { heard.note($0) }, onEvent: { heard.note($0) })
  }

  mutating func process(_ samples: Span<Int16>, into heard: inout Heard) {
    process(samples, onHop: { heard.note($0) }, onEvent: { heard.note($0) })
  }

  mutating func pushGap(_ count: UInt64, into heard: inout Heard) {
    pushGap(count, onHop: { heard.note($0) }, onEvent: { heard.note($0) })
  }

  mutating func flush(into heard: inout Heard) {
    flush(onHop: { heard.note($0) }, onEvent: { heard.note($0) })
  }
}
