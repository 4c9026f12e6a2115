import VoiceActivity

/// Muting and looking while another task analyses.
func watch(_ control: VoiceActivityControl) async -> UInt64 {
  await withTaskGroup(of: UInt64.self) { group in
    group.addTask {
      control.setMuted(true)
      return control.status.hops
    }
    group.addTask { control.totals.onsets }
    return await group.reduce(0, +)
  }
}
