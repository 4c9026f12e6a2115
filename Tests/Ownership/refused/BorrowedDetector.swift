import VoiceActivity

/// To look at a detector is not to own it.
func analyse(_ detector: borrowing VoiceActivityDetector, _ samples: [Float]) {
  // error: cannot use mutating member on immutable value
  detector.process(samples.span) { _ in }
}
