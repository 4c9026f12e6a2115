import VoiceActivity

/// A detector is made here and given to an actor, for good; here stays a control.
func listen() throws -> (Stream, VoiceActivityControl) {
  let detector = try VoiceActivityDetector(configuration: .init())
  let control = detector.control
  return (Stream(detector), control)
}

actor Stream {
  private var detector: VoiceActivityDetector

  init(_ detector: consuming VoiceActivityDetector) { self.detector = detector }

  func hear(_ samples: [Int16]) { detector.process(samples.span) { _ in } }
}
