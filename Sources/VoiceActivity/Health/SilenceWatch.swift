/// Finds digital silence: zeros and nothing else for 2 s, until the first sample that is not.
///
/// Zeros come between the words already if the microphone has a gate or a noise suppressor. Pauses between
/// sentences are mostly below 2 s.
struct SilenceWatch: Sendable {
  private static let hopsNeeded = 200
  private var hops = 0

  var isDigital: Bool { hops >= Self.hopsNeeded }

  mutating func step(_ hop: VoiceActivityHop) {
    hops = hop.isDigitallySilent ? min(hops + 1, Self.hopsNeeded) : 0
  }
}

extension VoiceActivityHop {
  /// No sample above −127 dBFS, where the levels end: far below the least bit of 16-bit samples (−90 dBFS), and below
  /// what any converter's own noise leaves of 24-bit ones.
  var isDigitallySilent: Bool { peakDBFS <= -127 }
}
