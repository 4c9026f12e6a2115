internal import VoiceActivity

/// Detects digital silence: 2 s of nothing but zeros. It clears at the first sample that is not zero.
///
/// Zeros between words occur wherever the microphone has a gate or a noise suppressor. Pauses between
/// sentences are mostly shorter than 2 s.
struct SilenceWatch: Sendable {
  private static let hopsNeeded = 200
  private var hops = 0

  var isDigital: Bool { hops >= Self.hopsNeeded }

  mutating func step(_ hop: VoiceActivityHop) {
    hops = hop.isDigitallySilent ? min(hops + 1, Self.hopsNeeded) : 0
  }
}

extension VoiceActivityHop {
  /// Whether no sample exceeds −127 dBFS, the bottom of the level scale. That is far below the least bit of 16-bit
  /// samples (−90 dBFS), and below the noise of any converter in 24-bit ones.
  var isDigitallySilent: Bool { peakDBFS <= -127 }
}
