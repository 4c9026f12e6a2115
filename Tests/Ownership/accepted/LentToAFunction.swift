import VoiceActivity

/// A detector is lent for a call, with samples of every kind.
func hear(
  _ detector: inout VoiceActivityDetector, _ floats: [Float], _ integers: UnsafeBufferPointer<Int16>
) -> Int {
  var events = 0
  detector.process(floats.span) { _ in events += 1 }
  detector.process(integers.span, onHop: { _ in }, onEvent: { _ in events += 1 })
  return events
}
