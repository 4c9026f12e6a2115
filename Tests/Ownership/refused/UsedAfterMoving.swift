import VoiceActivity

/// Who has given a detector away analyses no more.
func giveAway(_ samples: [Float]) throws {
  // error: 'detector' used after consume
  var detector = try VoiceActivityDetector(configuration: .init())
  listen(detector, samples)
  detector.process(samples.span) { _ in }
}

func listen(_ detector: consuming VoiceActivityDetector, _ samples: [Float]) {
  detector.process(samples.span) { _ in }
}
