import VoiceActivity

/// A task owns a detector, while another mutes it and looks.
func listen(_ packets: AsyncStream<[Float]>) async throws -> Bool {
  var detector = try VoiceActivityDetector(configuration: .init())
  let control = detector.control
  async let isSpeech = muteAndLook(control)
  for await packet in packets { detector.process(packet.span) { _ in } }
  detector.flush { _ in }
  return await isSpeech
}

func muteAndLook(_ control: VoiceActivityControl) async -> Bool {
  control.setMuted(true)
  return control.status.isSpeech
}
