import VoiceActivity

/// A detector is busy while it tells what happened.
func reset(_ samples: [Float]) throws {
  var detector = try VoiceActivityDetector(configuration: .init())
  // error: overlapping accesses to 'detector'
  detector.process(samples.span) { _ in detector.reset() }
}
