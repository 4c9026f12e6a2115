import VoiceActivity

/// An actor owns a detector; its control goes anywhere.
actor Stream {
  private var detector: VoiceActivityDetector
  nonisolated let control: VoiceActivityControl

  init() throws {
    detector = try VoiceActivityDetector(configuration: .init())
    control = detector.control
  }

  func hear(_ samples: [Int16]) -> Bool {
    detector.process(samples.span) { _ in }
    return control.status.isSpeech
  }
}

func mute(_ stream: Stream) { stream.control.setMuted(true) }
