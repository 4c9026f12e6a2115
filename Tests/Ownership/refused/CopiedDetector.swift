import VoiceActivity

/// Two names would be two owners.
// error: 'detector' consumed more than once
func copy(_ detector: consuming VoiceActivityDetector) -> [VoiceActivityControl] {
  let first = detector
  let second = detector
  return [first.control, second.control]
}
