import VoiceActivity

/// A control mutes and looks; it does not analyse, nor reset.
func analyse(_ control: VoiceActivityControl, _ samples: [Float]) {
  // error: has no member 'process'
  control.process(samples.span) { _ in }
  // error: has no member 'reset'
  control.reset()
}
