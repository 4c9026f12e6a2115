import VoiceActivity

/// What an actor owns is not analysed from outside.
actor Stream {
  var detector: VoiceActivityDetector

  init() throws { detector = try VoiceActivityDetector(configuration: .init()) }
}

func hear(_ stream: Stream, _ samples: [Float]) async {
  // error: actor-isolated property 'detector' can not be mutated
  await stream.detector.process(samples.span) { _ in }
}
