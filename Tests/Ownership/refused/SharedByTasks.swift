import VoiceActivity

/// Two tasks at once.
func share(_ samples: [Float]) async throws {
  var detector = try VoiceActivityDetector(configuration: .init())
  // error: risks causing data races
  let task = Task {
    detector.process(samples.span) { _ in }
  }
  detector.process(samples.span) { _ in }
  await task.value
}
